import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer as createTcpServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from 'vitest';
import { issueRoot, issueServer } from '../../server/adapters/certificates/issue.ts';
import { createPeers, PEER_ADDRESS_REFUSED } from '../../server/adapters/peers/peer-client.ts';
import type { PeerDocument } from '../../server/adapters/peers/port.ts';
import { listenLocally, nameServer } from '../setup/local-servers.ts';

const cleanups: Array<() => unknown> = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});
const listen = (server: Parameters<typeof listenLocally>[0]) =>
  listenLocally(server, (end) => cleanups.push(end));

const { signal } = new AbortController();
const REFUSED = { kind: 'not_sent', sentence: PEER_ADDRESS_REFUSED };

/** Every form of address that is not one computer on the internet. */
const NOT_PUBLIC = [
  '127.0.0.1',
  '127.255.255.254',
  '10.0.0.5',
  '172.16.0.1',
  '192.168.1.1',
  '100.64.0.1',
  '169.254.1.1',
  '169.254.169.254',
  '198.18.0.1',
  '192.0.2.1',
  '224.0.0.1',
  '255.255.255.255',
  '0.0.0.0',
  '240.0.0.1',
  '::1',
  '::',
  '::7f00:1',
  'fe80::1',
  'fec0::1',
  'fc00::1',
  'fd00:ec2::254',
  'ff02::1',
  '::ffff:127.0.0.1',
  '::ffff:a9fe:a9fe',
  '64:ff9b::7f00:1',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::a00:1',
  '2002:7f00:1::',
  '2001:db8::1',
  '2001::1',
];

const target = (endpoint: string, { allowPrivate = false } = {}) => ({ endpoint, allowPrivate, signal });
const locally = (port: number) => target(`http://127.0.0.1:${port}`, { allowPrivate: true });

async function plain(handler: RequestListener): Promise<{ port: number; requests: string[] }> {
  const requests: string[] = [];
  const port = await listen(
    createHttpServer((request, response) => {
      requests.push(`${request.method} ${request.url}`);
      handler(request, response);
    }),
  );
  return { port, requests };
}

/** A document of this many pieces of 64 KiB. */
function documentOf(pieces: number, { each }: { each?: (number: number) => unknown } = {}): PeerDocument {
  return {
    manifest: '{"direct":1}',
    signature: 'c2ln',
    sizeBytes: pieces * 65_536,
    async *pieces() {
      for (let number = 0; number < pieces; number += 1) {
        await each?.(number);
        yield Buffer.alloc(65_536, number);
      }
    },
  };
}

describe('the address of a partner', () => {
  test.each(NOT_PUBLIC)(
    'rule (direct): nothing is sent to an address that is not public, by its name or as it is [%s]',
    async (address) => {
      const server = await plain((_request, response) => void response.end());
      const peers = createPeers({ lookup: nameServer([address]) });
      const literal = address.includes(':') ? `[${address}]` : address;
      for (const host of ['partner.example', literal]) {
        const there = target(`https://${host}:${server.port}`);
        expect(await peers.findAddressProblem(there)).toBe(PEER_ADDRESS_REFUSED);
        expect(await peers.post(there, '/direct/statements', '{}')).toEqual(REFUSED);
        expect(await peers.get(there, '/direct/deliveries/1', {})).toEqual(REFUSED);
        expect(await peers.upload(there, documentOf(1))).toEqual(REFUSED);
      }
      expect(server.requests).toEqual([]);
    },
  );

  test('rule (direct): a name is refused when any of its addresses is not allowed', async () => {
    const lookup = nameServer(['8.8.8.8', '10.0.0.5'], ['10.0.0.5', '2606:4700::1']);
    const peers = createPeers({ lookup });
    expect(await peers.findAddressProblem(target('https://partner.example'))).toBe(PEER_ADDRESS_REFUSED);
    expect(await peers.post(target('https://partner.example'), '/direct/statements', '{}')).toEqual(REFUSED);
  });

  test('rule (direct): a name that changes after it was checked leads nowhere else', async () => {
    const server = await plain((_request, response) => void response.end('{}'));
    // Allowed at the first question, another at each later one: the request asks once.
    const lookup = nameServer(['127.0.0.1'], ['8.8.8.8'], ['169.254.169.254']);
    const peers = createPeers({ lookup });
    const there = target(`http://partner.example:${server.port}`, { allowPrivate: true });
    expect(await peers.post(there, '/direct/statements', '{}')).toMatchObject({
      kind: 'answered',
      status: 200,
    });
    expect(lookup.asked).toBe(1);
    // Public when it was added, private at the request.
    const rebound = createPeers({ lookup: nameServer(['8.8.8.8'], ['127.0.0.1']) });
    const partner = target(`https://partner.example:${server.port}`);
    expect(await rebound.findAddressProblem(partner)).toBeNull();
    expect(await rebound.post(partner, '/direct/statements', '{}')).toEqual(REFUSED);
    expect(server.requests).toHaveLength(1);
  });

  test('may be private where that is allowed, and then also without encryption, but never link-local', async () => {
    const peers = createPeers({ lookup: nameServer(['10.0.0.5']) });
    const name = 'http://partner.example';
    expect(await peers.findAddressProblem(target(name, { allowPrivate: true }))).toBeNull();
    expect(await peers.findAddressProblem(target(name))).toBe(
      'The address of a partner must begin with https://.',
    );
    const away = createPeers({ lookup: nameServer(['8.8.8.8']) });
    expect(await away.findAddressProblem(target(name, { allowPrivate: true }))).toBe(PEER_ADDRESS_REFUSED);
    for (const host of ['169.254.169.254', '[fe80::1]', '[ff02::1]', '0.0.0.0', '[::]', '[64:ff9b::7f00:1]'])
      expect(await peers.findAddressProblem(target(`http://${host}`, { allowPrivate: true }))).toBe(
        PEER_ADDRESS_REFUSED,
      );
  });

  test('that does not exist has its sentence', async () => {
    const peers = createPeers({
      lookup: (_name, _options, callback) =>
        callback(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }), []),
    });
    const sentence = 'The address of this partner cannot be found.';
    expect(await peers.findAddressProblem(target('https://partner.example'))).toBe(sentence);
    expect(await peers.get(target('https://partner.example'), '/direct/x', {})).toEqual({
      kind: 'not_sent',
      sentence,
    });
    const silent = createPeers({ lookup: () => undefined, timeoutMs: 20 });
    expect(await silent.findAddressProblem(target('https://partner.example'))).toBe(sentence);
  });
});

describe('a request to a partner', () => {
  test('rule (direct): the certificate is verified for the name, at the address that was checked', async () => {
    const root = await issueRoot('Root', Date.now());
    const { certificate, key } = await issueServer(root, ['partner.example'], Date.now());
    const port = await listen(
      createHttpsServer({ cert: certificate, key }, (_request, response) => void response.end('{}')),
    );
    const network = { lookup: nameServer(['127.0.0.1']) };
    const known = createPeers({ ...network, ca: root.certificate });
    const post = (peers: typeof known, name: string) =>
      peers.post(target(`https://${name}:${port}`, { allowPrivate: true }), '/direct/statements', '{}');
    expect(await post(known, 'partner.example')).toMatchObject({ kind: 'answered', status: 200 });
    const invalid = {
      kind: 'not_sent',
      sentence: 'The certificate of the partner is not valid for its address.',
    };
    expect(await post(known, 'other.example')).toEqual(invalid);
    expect(await post(createPeers(network), 'partner.example')).toEqual(invalid);
  });

  test('rule (direct): a redirect is not followed, wherever it leads', async () => {
    const elsewhere = await plain((_request, response) => void response.end());
    const server = await plain((_request, response) => {
      response.writeHead(307, { Location: `http://127.0.0.1:${elsewhere.port}/` }).end();
    });
    const answer = await createPeers().upload(locally(server.port), documentOf(1));
    expect(answer).toMatchObject({ kind: 'answered', status: 307 });
    expect(elsewhere.requests).toEqual([]);
  });

  test('a partner who is gone got nothing; one who hangs up after the whole document may have it', async () => {
    const gone = await listen(createTcpServer());
    for (const clean of cleanups.splice(0)) await clean();
    const peers = createPeers();
    expect(await peers.upload(locally(gone), documentOf(1))).toEqual({
      kind: 'not_sent',
      sentence: 'The partner cannot be reached.',
    });
    const rude = await plain((request, response) => {
      request.resume().once('end', () => response.destroy());
    });
    expect(await peers.upload(locally(rude.port), documentOf(3))).toEqual({
      kind: 'unknown',
      sentence: 'The partner closed the connection without an answer.',
    });
    expect(await peers.post(locally(rude.port), '/direct/statements', '{}')).toMatchObject({
      kind: 'unknown',
    });
  });

  test('rule (direct): a document whose end never left is certainly not delivered', async () => {
    const { promise: cut, resolve } = Promise.withResolvers<void>();
    const server = await plain((request) => {
      request.once('data', () => request.destroy());
      request.once('close', () => resolve());
    });
    const document = documentOf(50, { each: (number) => (number < 49 ? undefined : cut) });
    expect(await createPeers().upload(locally(server.port), document)).toEqual({
      kind: 'not_sent',
      sentence: 'The partner closed the connection without an answer.',
    });
  });

  test('rule (direct): a partner who never answers is given up, and an endless answer is cut', async () => {
    const silent = await plain((request) => void request.resume());
    const quick = createPeers({ timeoutMs: 50 });
    expect(await quick.upload(locally(silent.port), documentOf(1))).toEqual({
      kind: 'unknown',
      sentence: 'The partner did not answer within 0.05 seconds.',
    });
    let written = 0;
    const endless = await plain((_request, response) => {
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(16_384))) written += 16_384;
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    });
    expect(await createPeers().get(locally(endless.port), '/direct/x', {})).toEqual({
      kind: 'unknown',
      sentence: 'The answer of the partner is not valid.',
    });
    expect(written).toBeLessThan(16 * 1024 * 1024);
  });

  test('sends the form in its order, with its length, piece by piece', async () => {
    const { promise, resolve } = Promise.withResolvers<{ body: string; length: string | undefined }>();
    const server = await plain((request, response) => {
      void text(request).then((body) => {
        resolve({ body, length: request.headers['content-length'] });
        response.end('{}');
      });
    });
    await createPeers().upload(locally(server.port), documentOf(2));
    const { body, length } = await promise;
    expect(server.requests).toEqual(['POST /direct/deliveries']);
    const names = [...body.matchAll(/form-data; name="(\w+)"/gu)].map(([, name]) => name);
    expect(names).toEqual(['manifest', 'signature', 'document']);
    expect(body).toContain('\r\n\r\n{"direct":1}\r\n');
    expect(Buffer.byteLength(body)).toBe(Number(length));
  });

  test('passes on what the document itself throws', async () => {
    const server = await plain((request) => void request.resume());
    const problem = new Error('the file is gone');
    const document = documentOf(2, {
      each() {
        throw problem;
      },
    });
    await expect(createPeers().upload(locally(server.port), document)).rejects.toBe(problem);
  });

  test('ends when the gateway stops', async () => {
    const stop = new AbortController();
    const server = await plain(() => stop.abort());
    const there = { ...locally(server.port), signal: stop.signal };
    expect(await createPeers().post(there, '/direct/statements', '{}')).toEqual({
      kind: 'unknown',
      sentence: 'Faxdesk was stopped during the request to the partner.',
    });
  });
});
