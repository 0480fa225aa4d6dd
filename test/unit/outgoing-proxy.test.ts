import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openS3Bucket } from '../../server/adapters/storage/s3/bucket.ts';
import { readProxies } from '../../server/config/proxies.ts';
import { createHttpClient, HttpFailure } from '../../server/platform/http-client.ts';
import { NO_PROXIES, proxyFor, setProxies } from '../../server/platform/outgoing-proxy.ts';
import { type ConnectProxy, startConnectProxy, startTlsFront } from '../setup/connect-proxy.ts';
import { startS3Server } from '../setup/s3-server.ts';

const ANSWER = { maxAnswerBytes: 1_000 };

let secret: { port: number; root: string; close(): Promise<void> };
let plain: number;
const closing: (() => unknown)[] = [];
beforeAll(async () => {
  const server = createServer((request, response) => response.end(`${request.method} ${request.url}`));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  plain = (server.address() as AddressInfo).port;
  secret = await startTlsFront('provider.example', plain);
  closing.push(() => secret.close());
});
afterEach(() => setProxies(NO_PROXIES));
afterAll(async () => {
  for (const close of closing.toReversed()) await close();
});

/** Starts a proxy that connects the provider's host, and leaves through it. */
async function useProxy(signIn?: string, given = signIn): Promise<ConnectProxy> {
  const routes = { 'provider.example:443': secret.port, 'provider.example:80': plain };
  const proxy = await startConnectProxy({ routes, ...(signIn === undefined ? {} : { signIn }) });
  closing.push(() => proxy.close());
  const address = `http://${given === undefined ? '' : `${given}@`}127.0.0.1:${proxy.port}`;
  setProxies(readProxies({ HTTPS_PROXY: address, HTTP_PROXY: address }));
  return proxy;
}

async function failureOf(request: Promise<unknown>): Promise<HttpFailure> {
  const error = await request.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(HttpFailure);
  return error as HttpFailure;
}

describe('a request through a proxy', () => {
  test.each(['https', 'http'])('reaches the host by %s, and the proxy sees its name only', async (scheme) => {
    const proxy = await useProxy();
    const client = createHttpClient({ ca: secret.root });
    const answer = await client.request({
      method: 'GET',
      url: `${scheme}://provider.example/v1?key=1`,
      ...ANSWER,
    });
    expect([answer.status, answer.body.toString()]).toEqual([200, 'GET /v1?key=1']);
    expect(proxy.targets).toEqual([`provider.example:${scheme === 'https' ? 443 : 80}`]);
  });

  test('signs in to the proxy, and names its refusal', async () => {
    const [right, request] = [
      'clerk:se%3Acret',
      { method: 'GET', url: 'https://provider.example/', ...ANSWER } as const,
    ];
    await useProxy('clerk:se:cret', right);
    const client = createHttpClient({ ca: secret.root });
    expect((await client.request(request)).status).toBe(200);
    await useProxy('clerk:se:cret', 'clerk:wrong');
    const { reason, wrote, cause } = await failureOf(client.request(request));
    expect([reason, wrote, (cause as { code: string }).code]).toEqual(['connection', false, 'ERR_PROXY_407']);
  });

  test('is not sent where the proxy refuses the host, or the certificate is of another', async () => {
    const proxy = await useProxy();
    const client = createHttpClient({ ca: secret.root });
    const other = await failureOf(
      client.request({ method: 'POST', url: 'https://other.example/', ...ANSWER }),
    );
    expect([other.wrote, (other.cause as { code: string }).code]).toEqual([false, 'ERR_PROXY_403']);
    const strange = await failureOf(
      createHttpClient().request({ method: 'POST', url: 'https://provider.example/', ...ANSWER }),
    );
    expect([strange.reason, strange.wrote]).toEqual(['connection', false]);
    expect(proxy.targets).toHaveLength(2);
  });

  test('is not sent to a host whose addresses are not allowed; unknown names are left to the proxy', async () => {
    const proxy = await useProxy();
    const url = 'https://provider.example/';
    const client = (found: string | null) =>
      createHttpClient({
        ca: secret.root,
        allowAddress: (ip) => ip !== '10.0.0.1',
        lookup: (_host, _options, callback) =>
          found === null
            ? callback(Object.assign(new Error('none'), { code: 'ENOTFOUND' }), [])
            : callback(null, [{ address: found, family: 4 }]),
      });
    expect((await failureOf(client('10.0.0.1').request({ method: 'GET', url, ...ANSWER }))).wrote).toBe(
      false,
    );
    expect(proxy.targets).toEqual([]);
    expect((await client(null).request({ method: 'GET', url, ...ANSWER })).status).toBe(200);
    expect((await client('192.0.2.1').request({ method: 'GET', url, ...ANSWER })).status).toBe(200);
  });

  test('ends with its time when the proxy does not answer', async () => {
    const silent = createServer();
    silent.on('connect', () => undefined);
    await new Promise<void>((resolve) => void silent.listen(0, '127.0.0.1', resolve));
    closing.push(
      () => silent.closeAllConnections(),
      () => silent.close(),
    );
    setProxies(readProxies({ https_proxy: `127.0.0.1:${(silent.address() as AddressInfo).port}` }));
    const client = createHttpClient({ timeoutMs: 50 });
    const failure = await failureOf(
      client.request({ method: 'GET', url: 'https://provider.example/', ...ANSWER }),
    );
    expect([failure.reason, failure.wrote]).toEqual(['timeout', false]);
  });
});

test('a bucket is reached through the proxy', async () => {
  const service = await startS3Server();
  closing.push(() => service.close());
  const routes = { 'storage.example:80': Number(new URL(service.url).port) };
  const proxy = await startConnectProxy({ routes });
  closing.push(() => proxy.close());
  setProxies(readProxies({ HTTP_PROXY: `http://127.0.0.1:${proxy.port}` }));
  const bucket = openS3Bucket(
    {
      bucket: 'faxes',
      prefix: '',
      region: null,
      endpoint: 'http://storage.example',
      kmsKeyId: null,
      isPathStyle: true,
      credentials: { accessKeyId: 'test-key', secretAccessKey: 'test-secret' },
    },
    { patienceMs: 5_000 },
  );
  await bucket.putText('one', 'text');
  expect(await bucket.text('one')).toBe('text');
  bucket.close();
  expect(new Set(proxy.targets)).toEqual(new Set(['storage.example:80']));
});

describe('what is reached directly', () => {
  const direct = (url: string, except: string) => {
    setProxies(readProxies({ ALL_PROXY: 'http://proxy.example:3128', NO_PROXY: except }));
    return proxyFor(new URL(url)) === null;
  };

  test.each([
    ['https://127.0.0.1/', '', true],
    ['http://localhost:8080/', '', true],
    ['https://[::1]/', '', true],
    ['https://provider.example/', '', false],
    ['https://provider.example/', '*', true],
    ['https://provider.example/', 'provider.example', true],
    ['https://api.provider.example/', 'other.example, provider.example', true],
    ['https://api.provider.example/', '.provider.example', true],
    ['https://api.provider.example/', '*.Provider.example', true],
    ['https://badprovider.example/', 'provider.example', false],
    ['https://provider.example:8443/', 'provider.example:8443', true],
    ['https://provider.example/', 'provider.example:8443', false],
    ['https://10.1.2.3/', '10.0.0.0/8', true],
    ['https://10.1.2.3/', '10.1.2.3', true],
    ['https://192.0.2.1/', '10.0.0.0/8', false],
    ['https://[fd00::5]/', 'fd00::/8', true],
  ])('%s with NO_PROXY=%s: %s', (url, except, isDirect) => {
    expect(direct(url, except)).toBe(isDirect);
  });
});

describe('the variables of a proxy', () => {
  test('small letters count before capitals, and ALL_PROXY for what has none of its own', () => {
    const found = readProxies({
      https_proxy: 'http://a:1',
      HTTPS_PROXY: 'http://b:2',
      ALL_PROXY: 'https://c:3',
    });
    expect([found.https?.host, found.http?.href]).toEqual(['a:1', 'https://c:3/']);
    expect(readProxies({ NO_PROXY: 'anything wrong/' })).toBe(NO_PROXIES);
  });

  test.each([
    [
      { HTTPS_PROXY: 'socks5://clerk:secret@proxy.example' },
      'HTTPS_PROXY must be the http:// or https:// address of a proxy.',
    ],
    [{ HTTP_PROXY: 'http://' }, 'HTTP_PROXY must be the http:// or https:// address of a proxy.'],
    [
      { HTTP_PROXY: 'http://a:%zz@proxy.example' },
      'HTTP_PROXY must be the http:// or https:// address of a proxy.',
    ],
    [{ HTTP_PROXY: 'http://a', NO_PROXY: 'b, c/d' }, 'NO_PROXY names a host that is none: c/d'],
  ])('%j is refused with a sentence that does not repeat a password', (environment, sentence) => {
    expect(() => readProxies(environment as never)).toThrow(sentence);
  });
});
