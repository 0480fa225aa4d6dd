import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { INSTALLATION_KEY, startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { RawConnection } from '../setup/raw-connection.ts';

const DESK = 'https://desk.example.com';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

async function answerTo(bytes: string) {
  const connection = await RawConnection.open(gateway.url);
  await connection.send(bytes);
  try {
    return await connection.answer();
  } finally {
    connection.close();
  }
}

describe('a refusal', () => {
  test.each([
    ['of what is no HTTP', 'hello there\r\n\r\n', 400, 'unreadable_request'],
    [
      'of a long header',
      `GET /health HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(32_768)}\r\n\r\n`,
      431,
      'headers_too_long',
    ],
    ['of a request without a Host', 'GET /health HTTP/1.1\r\n\r\n', 400, 'unreadable_request'],
    [
      'of a path with a broken escape',
      'GET /fax/%E0%A4%A HTTP/1.1\r\nHost: a\r\n\r\n',
      404,
      'no_such_address',
    ],
    ['of an address that is none', 'GET http://[ HTTP/1.1\r\nHost: a\r\n\r\n', 404, 'no_such_address'],
    ['of an unknown address', 'GET /nothing HTTP/1.1\r\nHost: a\r\n\r\n', 404, 'no_such_address'],
    [
      'of a file of the console',
      'GET /admin/ui/..%2f.env HTTP/1.1\r\nHost: a\r\n\r\n',
      404,
      'no_such_address',
    ],
    ['of an unknown method', 'PATCH /health HTTP/1.1\r\nHost: a\r\n\r\n', 405, 'method_not_allowed'],
    ['without a credential', 'GET /fax HTTP/1.1\r\nHost: a\r\n\r\n', 401, 'sign_in_required'],
  ])('%s has a sentence, a code and a request id', async (_name, bytes, status, code) => {
    const { headers, body, ...answer } = await answerTo(bytes);
    expect([answer.status, headers['x-error-code']]).toEqual([status, code]);
    expect(headers['x-request-id']).toMatch(/^[\w-]{36}$/u);
    expect(headers['cache-control']).toBe('no-store');
    expect(JSON.parse(body)).toEqual({ detail: expect.stringMatching(/^[A-Z].*\.$/u) });
  });

  test('of an expectation that nobody meets is not made: the request is answered', async () => {
    const { status } = await answerTo('GET /health HTTP/1.1\r\nHost: a\r\nExpect: a-miracle\r\n\r\n');
    expect(status).toBe(200);
  });

  test('for the credential says how one is sent', async () => {
    const challenge = async (key: string | null) =>
      (await gateway.request('GET', '/fax', { key })).headers.get('WWW-Authenticate');
    expect(await challenge(null)).toBe('Bearer realm="Faxdesk"');
    expect(await challenge('wrong')).toBe('Bearer realm="Faxdesk", error="invalid_token"');
  });
});

describe('a key as a bearer token', () => {
  const me = (headers: Record<string, string>) => gateway.request('GET', '/auth/me', { key: null, headers });

  test('counts like the key in X-API-Key, which comes first', async () => {
    const Authorization = `Bearer ${INSTALLATION_KEY}`;
    expect((await me({ Authorization })).status).toBe(200);
    expect((await me({ Authorization, 'X-API-Key': 'wrong' })).status).toBe(401);
    expect((await me({ Authorization: 'Bearer wrong' })).status).toBe(401);
    expect((await me({ Authorization: `Basic ${INSTALLATION_KEY}` })).status).toBe(401);
  });

  test('is not what a proxy adds to the request of a browser', async () => {
    const origin = { Origin: gateway.url };
    const json = { api_key: INSTALLATION_KEY };
    const signedIn = await gateway.request('POST', '/auth/key-login', { key: null, json, headers: origin });
    const cookie = signedIn.headers.get('Set-Cookie')?.split(';')[0] ?? '';
    const answer = await me({ Cookie: cookie, Authorization: 'Bearer aaa.bbb.ccc' });
    expect([answer.status, ((await answer.json()) as { source: string }).source]).toEqual([200, 'session']);
  });
});

describe('pages of other origins', () => {
  const ask = (origin: string, method = 'GET', headers: Record<string, string> = {}) =>
    gateway.request(method, '/auth/me', { headers: { Origin: origin, ...headers } });
  const allowed = (response: Response) => response.headers.get('Access-Control-Allow-Origin');

  test('may not read anything unless a setting names them', async () => {
    expect(allowed(await ask(DESK))).toBeNull();
    const preflight = await ask(DESK, 'OPTIONS', { 'Access-Control-Request-Method': 'POST' });
    expect([preflight.status, allowed(preflight)]).toEqual([204, null]);
  });

  test('that ALLOWED_ORIGINS names may call with a key, and never with a cookie', async () => {
    await gateway.set({ ALLOWED_ORIGINS: [DESK] });
    try {
      const answer = await ask(DESK);
      expect([answer.status, allowed(answer), answer.headers.get('Vary')]).toEqual([200, DESK, 'Origin']);
      expect(answer.headers.get('Access-Control-Expose-Headers')).toContain('X-Request-Id');
      const refused = await gateway.request('GET', '/fax?limit=0', { headers: { Origin: DESK } });
      expect([refused.status, allowed(refused)]).toEqual([400, DESK]);
      const preflight = await ask(DESK, 'OPTIONS', {
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'x-api-key, idempotency-key',
      });
      expect([preflight.status, allowed(preflight)]).toEqual([204, DESK]);
      expect(preflight.headers.get('Access-Control-Allow-Headers')?.toLowerCase()).toContain(
        'idempotency-key',
      );
      expect(preflight.headers.get('Access-Control-Allow-Methods')).toContain('POST');
      for (const each of [answer, preflight])
        expect(each.headers.get('Access-Control-Allow-Credentials')).toBeNull();
      const other = await ask('https://evil.example.com');
      expect([allowed(other), other.headers.get('Vary')]).toEqual([null, 'Origin']);
      const preflightOfNothing = await gateway.request('OPTIONS', '/nothing', { headers: { Origin: DESK } });
      expect(preflightOfNothing.status).toBe(404);
    } finally {
      await gateway.set({ ALLOWED_ORIGINS: null });
    }
  });
});

test('answers to limited requests say how many are left, and until when', async () => {
  await gateway.set({ MAX_REQUESTS_PER_MINUTE: 3, INBOUND_LIST_RPM: 2 });
  try {
    const made = await gateway.request('POST', '/admin/api-keys', { json: { scopes: ['inbound:list'] } });
    const { token: key } = (await made.json()) as { token: string };
    const list = () => gateway.request('GET', '/inbound', { key });
    const first = await list();
    expect(first.headers.get('RateLimit-Policy')).toBe('"requests";q=3;w=60, "inbound-list";q=2;w=60');
    expect(first.headers.get('RateLimit')).toBe('"requests";r=2;t=60, "inbound-list";r=1;t=60');
    gateway.clock.advance(10_000);
    await list();
    const refused = await list();
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '50']);
    expect(refused.headers.get('RateLimit')).toBe('"requests";r=0;t=50, "inbound-list";r=0;t=50');
    expect((await gateway.request('GET', '/health')).headers.get('RateLimit')).toBeNull();
  } finally {
    await gateway.set({ MAX_REQUESTS_PER_MINUTE: null, INBOUND_LIST_RPM: null });
  }
  expect((await gateway.request('GET', '/fax')).headers.get('RateLimit')).toBeNull();
});
