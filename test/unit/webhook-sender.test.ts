import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { issueRoot, issueServer } from '../../server/adapters/certificates/issue.ts';
import { createWebhookSender } from '../../server/adapters/webhooks/send-webhook.ts';
import { addressProblem } from '../../server/features/webhooks/address.ts';
import type { LookupAll } from '../../server/platform/http-connection.ts';
import { isPrivateAddress, isPublicAddress } from '../../server/platform/public-address.ts';

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

const MESSAGE = {
  id: 'msg_1',
  secrets: [`whsec_${Buffer.alloc(32, 7).toString('base64')}`],
  at: Date.parse('2026-11-21T09:00:00.000Z'),
  body: '{"type":"webhook.test"}',
};
const { signal } = new AbortController();
const PRIVATE = { allowPrivate: true, signal };
const PUBLIC = { allowPrivate: false, signal };
const NOT_ALLOWED = {
  kind: 'failed',
  sentence: 'The name of the server leads to an address that webhooks are not sent to.',
};

/** Creates a DNS lookup that returns these addresses, one list for each call and the last one from then on. */
function lookupOf(...answers: string[][]): LookupAll & { lookups: number } {
  const lookup = Object.assign(
    ((_name, _options, callback) => {
      const found = answers[Math.min(lookup.lookups, answers.length - 1)] ?? [];
      lookup.lookups += 1;
      callback(
        null,
        found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
    }) as LookupAll,
    { lookups: 0 },
  );
  return lookup;
}

async function startHttpServer(
  handler: RequestListener,
): Promise<{ url: string; requests: number[]; port: number }> {
  const requests: number[] = [];
  const port = await listen(
    createHttpServer((request, response) => {
      requests.push(request.socket.remotePort ?? 0);
      handler(request, response);
    }),
  );
  return { url: `http://127.0.0.1:${port}/`, requests, port };
}

describe('an address', () => {
  test('rule (webhooks): nothing is sent to private, link-local, multicast or mapped addresses unless private ones are allowed', async () => {
    const server = await startHttpServer((_request, response) => void response.writeHead(204).end());
    const hosts = [
      '127.0.0.1',
      '10.0.0.5',
      '172.16.0.1',
      '192.168.1.1',
      '100.64.0.1',
      '169.254.169.254',
      '224.0.0.1',
      '0.0.0.0',
      '::1',
      '::',
      'fe80::1',
      'fd00::1',
      'ff02::1',
      '::ffff:127.0.0.1',
      '::ffff:a9fe:a9fe',
      '64:ff9b::7f00:1',
      '2002:7f00:1::',
    ];
    for (const host of hosts) {
      expect([host, isPublicAddress(host)]).toEqual([host, false]);
      const lookup = lookupOf([host]);
      const sender = createWebhookSender({ lookup });
      for (const name of ['rebound.example', host.includes(':') ? `[${host}]` : host])
        expect([host, await sender.send(`https://${name}:${server.port}/`, MESSAGE, PUBLIC)]).toEqual([
          host,
          NOT_ALLOWED,
        ]);
    }
    expect(server.requests).toEqual([]);
  });

  test('rule (webhooks): addresses that no office uses stay closed where private ones are allowed', async () => {
    for (const host of ['169.254.169.254', '224.0.0.1', '0.0.0.0', '::', 'fe80::1', '::ffff:a9fe:a9fe']) {
      expect([host, isPrivateAddress(host)]).toEqual([host, false]);
      const name = host.includes(':') ? `[${host}]` : host;
      expect([host, await createWebhookSender().send(`http://${name}/`, MESSAGE, PRIVATE)]).toEqual([
        host,
        NOT_ALLOWED,
      ]);
    }
    for (const host of ['127.0.0.1', '10.0.0.5', '192.168.1.1', '::1', 'fd00::1', '::ffff:10.0.0.5'])
      expect([host, isPrivateAddress(host)]).toEqual([host, true]);
  });

  test('rule (webhooks): a name is looked up once, and the connection goes to the address that was checked', async () => {
    const server = await startHttpServer((_request, response) => void response.writeHead(204).end());
    const lookup = lookupOf(['127.0.0.1'], ['8.8.8.8']);
    const sender = createWebhookSender({ lookup });
    const url = `http://hooks.example:${server.port}/`;
    expect(await sender.send(url, MESSAGE, PRIVATE)).toEqual({
      kind: 'answered',
      status: 204,
      retryAfterMs: null,
    });
    expect([lookup.lookups, server.requests.length]).toEqual([1, 1]);
    // DNS rebinding: a list with a private address, and private ones alone at a second lookup, reach nothing here.
    const rebound = lookupOf(['203.0.113.7', '127.0.0.1'], ['127.0.0.1']);
    expect(
      await createWebhookSender({ lookup: rebound }).send(
        `https://hooks.example:${server.port}/`,
        MESSAGE,
        PUBLIC,
      ),
    ).toEqual(NOT_ALLOWED);
    expect([rebound.lookups, server.requests.length]).toEqual([1, 1]);
  });

  test('of plain HTTP is accepted only for private addresses', async () => {
    const sender = createWebhookSender({ lookup: lookupOf(['8.8.8.8']) });
    expect(await sender.send('http://hooks.example/', MESSAGE, PRIVATE)).toEqual(NOT_ALLOWED);
    expect(await sender.send('http://hooks.example/', MESSAGE, PUBLIC)).toEqual({
      kind: 'failed',
      sentence: 'Webhooks are sent over https:// only.',
    });
  });

  test.each([
    ['https://hooks.example.com/a?b=c', null],
    ['http://hooks.example.com/', 'The address must begin with https://.'],
    ['ftp://hooks.example.com/', 'The address must be a web address that begins with https://.'],
    ['hooks', 'The address must be a web address that begins with https://.'],
    [
      'https://user:word@hooks.example.com/',
      'The address must not contain a user name or password. Messages are signed instead.',
    ],
    ['https://hooks.example.com/#a', 'The address must not contain #.'],
  ])('%s is checked when it is set up', (url, problem) => {
    expect(addressProblem(url, { allowsPrivate: false })).toBe(problem);
  });

  test.each([
    'https://localhost/',
    'https://10.0.0.5/',
    'https://[::1]/',
    'https://printer/',
    'https://a.lan/',
  ])('%s needs the setting for private addresses', (url) => {
    expect(addressProblem(url, { allowsPrivate: false })).toContain('“Webhooks to private addresses”');
    expect(addressProblem(url, { allowsPrivate: true })).toBeNull();
  });
});

describe('a server', () => {
  test('rule (webhooks): a redirect is not followed', async () => {
    const target = await startHttpServer((_request, response) => void response.writeHead(204).end());
    const server = await startHttpServer((_request, response) => {
      response.writeHead(307, { Location: target.url }).end();
    });
    expect(await createWebhookSender().send(server.url, MESSAGE, PRIVATE)).toEqual({
      kind: 'answered',
      status: 307,
      retryAfterMs: null,
    });
    expect(target.requests).toEqual([]);
  });

  test('rule (webhooks): a server that never answers is given up, and an endless answer is cut', async () => {
    const silent = await startHttpServer(() => undefined);
    expect(await createWebhookSender({ timeoutMs: 50 }).send(silent.url, MESSAGE, PRIVATE)).toEqual({
      kind: 'failed',
      sentence: 'The server did not answer within 0.05 seconds.',
    });
    let written = 0;
    const endless = await startHttpServer((_request, response) => {
      response.writeHead(200);
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(16_384))) written += 16_384;
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    });
    expect(await createWebhookSender().send(endless.url, MESSAGE, PRIVATE)).toEqual({
      kind: 'answered',
      status: 200,
      retryAfterMs: null,
    });
    expect(written).toBeLessThan(16 * 1024 * 1024);
  });

  test('rule (webhooks): the certificate of the server is verified', async () => {
    const root = await issueRoot('Root', Date.now());
    const { certificate, key } = await issueServer(root, ['localhost'], Date.now());
    const port = await listen(
      createHttpsServer(
        { cert: certificate, key },
        (_request, response) => void response.writeHead(204).end(),
      ),
    );
    const known = createWebhookSender({ ca: root.certificate });
    expect(await known.send(`https://localhost:${port}/`, MESSAGE, PRIVATE)).toEqual({
      kind: 'answered',
      status: 204,
      retryAfterMs: null,
    });
    const invalid = {
      kind: 'failed',
      sentence: 'The certificate of the server is not valid for this address.',
    };
    expect(await createWebhookSender().send(`https://localhost:${port}/`, MESSAGE, PRIVATE)).toEqual(invalid);
    const lookup = lookupOf(['127.0.0.1']);
    const elsewhere = createWebhookSender({ ca: root.certificate, lookup });
    expect(await elsewhere.send(`https://hooks.example:${port}/`, MESSAGE, PRIVATE)).toEqual(invalid);
  });

  test('that refuses, sends no HTTP or closes the connection is described in a sentence', async () => {
    const gone = await listen(createTcpServer());
    for (const clean of cleanups.splice(0)) await clean();
    const garbage = await listen(createTcpServer((socket) => void socket.end('hello\r\n\r\n')));
    const rude = await listen(createTcpServer((socket) => void socket.once('data', () => socket.destroy())));
    const sentences = [];
    for (const port of [gone, garbage, rude])
      sentences.push(await createWebhookSender().send(`http://127.0.0.1:${port}/`, MESSAGE, PRIVATE));
    expect(sentences).toEqual([
      { kind: 'failed', sentence: 'The server refused the connection.' },
      { kind: 'failed', sentence: 'The answer of the server was not HTTP.' },
      { kind: 'failed', sentence: 'The server closed the connection without an answer.' },
    ]);
  });

  test('is disconnected when the gateway stops', async () => {
    const stop = new AbortController();
    const server = await startHttpServer(() => stop.abort());
    const options = { allowPrivate: true, signal: stop.signal };
    expect(await createWebhookSender().send(server.url, MESSAGE, options)).toEqual({ kind: 'canceled' });
  });
});
