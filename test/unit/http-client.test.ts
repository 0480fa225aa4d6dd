import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createHttpClient, HttpFailure } from '../../server/platform/http-client.ts';
import { openMultipartBody } from '../../server/platform/multipart-body.ts';

const megabyte = 1024 * 1024;
const cleanups: Array<() => unknown> = [];

afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const http = async (handler: RequestListener) =>
  `http://127.0.0.1:${await listen(createHttpServer(handler))}`;

async function failureOf(call: Promise<unknown>): Promise<HttpFailure> {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(HttpFailure);
  return error as HttpFailure;
}

/** A file of zeros that takes no room on disk. */
async function sparseFile(size: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'http-client-'));
  cleanups.push(() => rm(folder, { recursive: true }));
  const handle = await open(join(folder, 'large.pdf'), 'w');
  await handle.truncate(size);
  await handle.close();
  return join(folder, 'large.pdf');
}

const uploadOf = (path: string) =>
  openMultipartBody([['to', '+1']], {
    name: 'file',
    path,
    fileName: 'a".pdf',
    contentType: 'application/pdf',
  });

test('any status is an answer', async () => {
  const url = await http((_request, response) => response.writeHead(503, { 'x-a': 'b' }).end('no'));
  const answer = await createHttpClient().request({ method: 'GET', url: `${url}/a?b=c`, maxAnswerBytes: 10 });
  expect(answer).toMatchObject({ status: 503, headers: { 'x-a': 'b' }, body: Buffer.from('no') });
});

test('an answer of exactly the limit passes and one byte more fails, announced or not', async () => {
  const url = await http((request, response) => {
    if (request.url === '/chunked') response.write('12345');
    response.end(request.url === '/chunked' ? '67890' : '1234567890');
  });
  const client = createHttpClient();
  for (const path of ['/announced', '/chunked']) {
    const ask = (maxAnswerBytes: number) =>
      client.request({ method: 'GET', url: url + path, maxAnswerBytes });
    expect((await ask(10)).body.toString()).toBe('1234567890');
    expect(await failureOf(ask(9))).toMatchObject({ reason: 'oversized', wrote: true, status: 200 });
  }
});

test('a refused connection wrote nothing', async () => {
  const server = createTcpServer();
  const port = await listen(server);
  await new Promise((resolve) => void server.close(resolve));
  const url = `http://127.0.0.1:${port}/`;
  const nothing = { reason: 'connection', connected: false, wrote: false };
  expect(
    await failureOf(createHttpClient().request({ method: 'POST', url, maxAnswerBytes: 1 })),
  ).toMatchObject(nothing);
  expect(await failureOf(createHttpClient().openConnection(url))).toMatchObject(nothing);
});

test('a TLS handshake that never ends wrote nothing', async () => {
  const url = `https://127.0.0.1:${await listen(createTcpServer(() => undefined))}/`;
  const client = createHttpClient({ timeoutMs: 100 });
  const nothing = { reason: 'timeout', connected: false, wrote: false };
  expect(await failureOf(client.request({ method: 'POST', url, maxAnswerBytes: 1 }))).toMatchObject(nothing);
  expect(await failureOf(client.openConnection(url))).toMatchObject(nothing);
});

test('a host that stays silent, drops or speaks no HTTP may have read the request', async () => {
  const ask = async (handler: (socket: Socket) => void) => {
    const url = `http://127.0.0.1:${await listen(createTcpServer(handler))}/`;
    const client = createHttpClient({ timeoutMs: 100 });
    return failureOf(client.request({ method: 'POST', url, maxAnswerBytes: 10 }));
  };
  const written = { connected: true, wrote: true, status: null };
  expect(await ask(() => undefined)).toMatchObject({ reason: 'timeout', ...written });
  expect(await ask((socket) => socket.once('data', () => socket.destroy()))).toMatchObject({
    reason: 'dropped',
    ...written,
  });
  const stranger = await ask((socket) => socket.once('data', () => socket.end('220 mail.example.com\r\n')));
  expect(stranger).toMatchObject({ reason: 'unreadable', ...written });
  const upgrade = await ask((socket) =>
    socket.once('data', () =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
    ),
  );
  expect(upgrade).toMatchObject({ reason: 'unreadable', ...written });
});

test('the total time counts for an answer that trickles', async () => {
  const url = await http((_request, response) => void response.writeHead(200).write('a'));
  const failure = await failureOf(
    createHttpClient({ timeoutMs: 100 }).request({ method: 'GET', url, maxAnswerBytes: 10 }),
  );
  expect(failure).toMatchObject({ reason: 'timeout', wrote: true, status: 200 });
});

test('a caller can cancel', async () => {
  const cancel = new AbortController();
  const url = await http(() => cancel.abort());
  const call = createHttpClient().request({ method: 'GET', url, maxAnswerBytes: 1, signal: cancel.signal });
  expect(await failureOf(call)).toMatchObject({ reason: 'cancelled' });
});

test('opening a connection sends nothing', async () => {
  let bytes = 0;
  const ended = Promise.withResolvers<void>();
  const server = createTcpServer((socket) => {
    socket.on('data', (chunk) => (bytes += chunk.length));
    socket.on('close', () => ended.resolve());
  });
  await createHttpClient().openConnection(`http://127.0.0.1:${await listen(server)}/path`);
  await ended.promise;
  expect(bytes).toBe(0);
});

test('an address that is not allowed is not connected to, by literal or by name', async () => {
  let connections = 0;
  const port = await listen(createTcpServer(() => (connections += 1)));
  const client = createHttpClient({ allowAddress: () => false });
  for (const host of ['127.0.0.1', 'localhost']) {
    const failure = await failureOf(client.openConnection(`http://${host}:${port}/`));
    expect(failure).toMatchObject({ reason: 'connection', wrote: false });
  }
  expect(connections).toBe(0);
  await createHttpClient({ allowAddress: (ip) => ip === '127.0.0.1' }).openConnection(
    `http://localhost:${port}/`,
  );
});

test('a large upload is read from disk in pieces', async () => {
  const size = 200 * megabyte;
  const path = await sparseFile(size);
  let received = 0;
  const url = await http((request, response) => {
    request.on('data', (chunk: Buffer) => (received += chunk.length));
    request.on('end', () => response.end('done'));
  });
  const body = await uploadOf(path);
  const before = process.resourceUsage().maxRSS;
  // Thousands of reads, each of which waits for its turn on a busy machine.
  const client = createHttpClient({ timeoutMs: 300_000 });
  await client.request({ method: 'POST', url, body, maxAnswerBytes: 10 });
  await body.close();
  expect(received).toBe(body.contentLength);
  expect(body.contentLength).toBeGreaterThan(size);
  expect(process.resourceUsage().maxRSS - before).toBeLessThan(100 * 1024);
});

test('an answer before the end of the upload is taken and the upload stops', async () => {
  const path = await sparseFile(200 * megabyte);
  let received = 0;
  const url = await http((request, response) => {
    request.once('data', (chunk: Buffer) => {
      received += chunk.length;
      request.pause();
      response.writeHead(401).end('no');
    });
  });
  const body = await uploadOf(path);
  const answer = await createHttpClient().request({ method: 'POST', url, body, maxAnswerBytes: 10 });
  await body.close();
  expect(answer.status).toBe(401);
  expect(received).toBeLessThan(megabyte);
});

test('an answer of a host that closes at once is not lost to the failing write', async () => {
  const path = await sparseFile(50 * megabyte);
  const port = await listen(
    createTcpServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => {
        socket.pause();
        socket.write('HTTP/1.1 413 Too Large\r\ncontent-length: 2\r\n\r\nno', () => socket.destroy());
      });
    }),
  );
  const url = `http://127.0.0.1:${port}/`;
  for (let i = 0; i < 20; i += 1) {
    const body = await uploadOf(path);
    const answer = await createHttpClient().request({ method: 'POST', url, body, maxAnswerBytes: 10 });
    await body.close();
    expect(answer.status).toBe(413);
  }
});

test('a body that cannot be produced to its end is reported separately', async () => {
  const url = await http((request) => request.resume());
  const body = {
    contentType: 'text/plain',
    contentLength: 10,
    async *chunks() {
      yield Buffer.from('12345');
      throw new Error('disk failed');
    },
  };
  const failure = await failureOf(
    createHttpClient().request({ method: 'POST', url, body, maxAnswerBytes: 10 }),
  );
  expect(failure).toMatchObject({ reason: 'source', wrote: true });
});

test('names in a multipart body cannot leave their quotes', async () => {
  const body = await openMultipartBody([['a"\r\nb', 'c']], null);
  const chunks: Uint8Array[] = [];
  for await (const chunk of body.chunks()) chunks.push(chunk);
  expect(Buffer.concat(chunks).toString()).toContain('name="a%22%0D%0Ab"\r\n\r\nc\r\n');
  expect(Buffer.concat(chunks)).toHaveLength(body.contentLength);
});

const openssl = (() => {
  try {
    execFileSync('openssl', ['version']);
    return true;
  } catch {
    return false;
  }
})();

test.skipIf(!openssl)(
  `HTTPS works with a trusted certificate, and an untrusted one receives nothing${openssl ? '' : ' (skipped: no openssl)'}`,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'http-client-tls-'));
    cleanups.push(() => rmSync(folder, { recursive: true }));
    const [keyPath, certPath] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const make = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost`;
    const names = ['-addext', 'subjectAltName=DNS:localhost', '-keyout', keyPath, '-out', certPath];
    execFileSync('openssl', [...make.split(' '), ...names], { stdio: 'ignore' });
    const ca = readFileSync(certPath, 'utf8');
    let requests = 0;
    const server = createHttpsServer({ key: readFileSync(keyPath), cert: ca }, (_request, response) => {
      requests += 1;
      response.end('ok');
    });
    const url = `https://localhost:${await listen(server)}/`;
    const ask = (client = createHttpClient()) => client.request({ method: 'POST', url, maxAnswerBytes: 10 });
    expect(await failureOf(ask())).toMatchObject({ reason: 'connection', wrote: false });
    expect(requests).toBe(0);
    expect((await ask(createHttpClient({ ca }))).body.toString()).toBe('ok');
  },
);
