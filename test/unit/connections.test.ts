import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Connections, connectionLimits, createConnections } from '../../server/http/connections.ts';
import { listen, portOf } from '../../server/http/listening.ts';
import { createLogger } from '../../server/platform/logger.ts';
import { ManualClock, SECOND } from '../setup/manual-clock.ts';
import { RawConnection } from '../setup/raw-connection.ts';

const HOUR = 3600 * SECOND;
const POST = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n';
const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

let clock: ManualClock;
let server: Server;
let connections: Connections;
let shared: string[];
/** Called with each request. */
let answer: (request: IncomingMessage, response: ServerResponse) => void;
const opened: RawConnection[] = [];
const requests: IncomingMessage[] = [];

beforeEach(async () => {
  clock = new ManualClock();
  shared = [];
  requests.length = 0;
  answer = (request) => request.resume();
  connections = createConnections({
    clock,
    logger: createLogger({ level: 'fatal', write: () => undefined }),
    limits: { all: 6, perAddress: 3 },
    isShared: (address) => shared.includes(address),
  });
  server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  await listen(server, { host: '0.0.0.0', port: 0, connections });
});
afterEach(() => {
  for (const connection of opened.splice(0)) connection.close();
  server.closeAllConnections();
  server.close();
});

/** Opens a connection that the server has seen. Each address of loopback stands for a computer. */
async function open(from = '127.0.0.1', start = ''): Promise<RawConnection> {
  const seen = once(server, start.includes('HTTP') ? 'request' : 'connection');
  const connection = await RawConnection.open(`http://127.0.0.1:${portOf(server)}`, from);
  opened.push(connection);
  if (start) await connection.send(start);
  await seen;
  clock.advance(1);
  return connection;
}

const openSeveral = async (count: number, from?: string, start?: string) => {
  const several = [];
  for (let i = 0; i < count; i += 1) several.push(await open(from, start));
  return several;
};

/** Lets time pass as the gateway sees it: it looks at its connections every second. */
function pass(seconds: number): void {
  for (let i = 0; i < seconds; i += 1) {
    clock.advance(SECOND);
    connections.check();
  }
}

/** Takes requests and answers them when it is called with a number: the first so many. */
function holdAnswers(): (count: number) => void {
  const held: ServerResponse[] = [];
  answer = (_request, response) => void held.push(response);
  return (count) => {
    for (const response of held.splice(0, count)) response.end();
  };
}

const A = '127.0.0.1';
const B = '127.0.0.2';
const C = '127.0.0.3';
const D = '127.0.0.4';

describe('a fourth connection from an address of which three are open', () => {
  test('rule (api): an idle connection makes room for a new one', async () => {
    answer = (_request, response) => response.end();
    const [first, second, third] = await openSeveral(3);
    await second?.send(GET);
    expect((await second?.answer())?.status).toBe(200);
    const fourth = await open();
    await first?.closed();
    await open();
    await third?.closed();
    await fourth.send(GET);
    expect((await fourth.answer()).status).toBe(200);
    expect(connections.count).toBe(3);
  });

  test('closes one whose headers are not whole before one whose body is not', async () => {
    const body = await open(A, POST);
    const headers = await open(A, 'GET / HTT');
    const idle = await open();
    pass(1);
    await open();
    await headers.closed();
    await open();
    await idle.closed();
    expect(body.isClosed).toBe(false);
  });

  test('closes the slowest body rather than one that was opened a moment ago', async () => {
    answer = (request, response) => request.resume().once('end', () => response.end());
    const [fast, slow] = await openSeveral(2, A, POST);
    const arrived = once(requests[0] as IncomingMessage, 'data');
    await fast?.send('x'.repeat(20_000));
    await arrived;
    pass(1);
    const young = await open();
    await open();
    await slow?.closed();
    await young.send(GET);
    expect((await young.answer()).status).toBe(200);
    expect(fast?.isClosed).toBe(false);
  });

  test('among many that came this moment closes the first of them, whatever it waits for', async () => {
    answer = (request, response) => request.resume().once('end', () => response.end());
    const [first] = await openSeveral(2, A, POST);
    const good = await open();
    await open(A, POST);
    await first?.closed();
    await good.send(GET);
    expect((await good.answer()).status).toBe(200);
  });

  test('rule (api): a connection with work under way is never cut, even at the limit of connections', async () => {
    const release = holdAnswers();
    const busy = await openSeveral(3, A, GET);
    await (await open()).closed();
    expect(connections.count).toBe(3);
    release(3);
    for (const each of busy) expect((await each.answer()).status).toBe(200);
  });

  test('is taken beside streams of changes, which never count there', async () => {
    const release = holdAnswers();
    const taken = answer;
    answer = (request, response) => {
      Object.assign(response, { locals: { open: true } });
      taken(request, response);
    };
    const streams = await openSeveral(3, A, GET);
    await openSeveral(3);
    expect(connections.count).toBe(6);
    release(3);
    for (const each of streams) expect((await each.answer()).status).toBe(200);
  });

  test('is taken from an address that stands for many callers', async () => {
    shared = [A];
    const first = await openSeveral(6);
    expect(connections.count).toBe(6);
    await open();
    await first[0]?.closed();
  });

  test('closes one whose caller takes nothing of its answer, when nothing else waits', async () => {
    answer = (_request, response) => response.end(Buffer.alloc(32 * 1024 * 1024));
    const stalled = await openSeveral(3, A, GET);
    for (const { socket } of stalled) socket.pause();
    await expect.poll(() => stalled.every(({ socket }) => socket.bytesRead > 0)).toBe(true);
    pass(20);
    answer = (_request, response) => response.end();
    const next = await open(A, GET);
    expect((await next.answer()).status).toBe(200);
    expect(connections.count).toBe(3);
  });
});

test('a seventh connection of all closes one of the address that has most', async () => {
  const most = await openSeveral(3, A, POST);
  await openSeveral(2, B);
  await open(C);
  await open(D);
  await most[0]?.closed();
  expect(connections.count).toBe(6);
});

describe('a body', () => {
  test('of less than 1 KB a second is refused after 15 seconds, and its request ends', async () => {
    const slow = await open(A, POST);
    await slow.send('x'.repeat(1000));
    pass(15);
    const refused = await slow.answer();
    expect([refused.status, refused.headers['x-error-code']]).toEqual([408, 'request_timeout']);
    await slow.closed();
    await expect.poll(() => requests[0]?.destroyed).toBe(true);
  });

  test('of more goes on for as long as it takes', async () => {
    const steady = await open(A, POST);
    for (let sent = 0; sent < 100_000; sent += 20_000) {
      const arrived = once(requests[0] as IncomingMessage, 'data');
      await steady.send('x'.repeat(20_000));
      await arrived;
      pass(15);
    }
    await expect.poll(() => requests[0]?.complete).toBe(true);
    expect(steady.isClosed).toBe(false);
  });

  test('that nobody here reads waits for us, and so does an answer that is being made', async () => {
    answer = () => undefined;
    const unread = await open(A, POST);
    await unread.send('x'.repeat(90_000));
    const slow = await open(A, GET);
    await expect.poll(() => requests[0]?.readableLength).toBeGreaterThanOrEqual(64 * 1024);
    pass(3600);
    expect([unread.isClosed, slow.isClosed, connections.count]).toEqual([false, false, 2]);
  });

  test('is not held against its caller when the gateway itself slept', async () => {
    const waiting = await open(A, POST);
    clock.advance(HOUR);
    connections.check();
    pass(14);
    expect([waiting.isClosed, connections.count]).toEqual([false, 1]);
  });
});

describe('an answer', () => {
  test('of which nothing is taken is ended, and one that has nothing to say is not', async () => {
    server.timeout = 50;
    answer = (_request, response) => response.writeHead(200).flushHeaders();
    const stream = await open(B, GET);
    answer = (_request, response) => response.end(Buffer.alloc(32 * 1024 * 1024));
    const stalled = await open(A, GET);
    stalled.socket.pause();
    await expect.poll(() => connections.count).toBe(1);
    expect(stream.isClosed).toBe(false);
  });
});

test.each([
  [null, 1024],
  [1_000_000, 1024],
  [1024, 384],
  [256, 64],
])('with %s descriptors there are %i connections', (descriptors, all) => {
  expect(connectionLimits(descriptors)).toEqual({ all, perAddress: 64 });
});
