import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { INSTALLATION_KEY, startTestGateway, type TestGateway } from '../setup/gateway.ts';

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startTestGateway({ settings: { TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8, fd00::/8' } });
});
afterEach(() => gateway.close());

const forwardedFor = (addresses: string) => ({ 'X-Forwarded-For': addresses });

/** Tries an invalid pairing code. */
const guess = (headers: Record<string, string>) =>
  gateway.request('POST', '/mobile/pair', { key: null, headers, json: { code: 'none' } });

/** Returns the address that the security audit records for a failed sign-in. */
async function addressSeen(headers: Record<string, string>): Promise<unknown> {
  expect((await guess(headers)).status).toBe(403);
  const audit = await gateway.request('GET', '/access/audit?operation=pairing.use&limit=1');
  return ((await audit.json()) as { items: { details: { address: unknown } }[] }).items[0]?.details.address;
}

const keyLogin = (headers: Record<string, string>) =>
  gateway.request('POST', '/auth/key-login', {
    key: null,
    headers: { Origin: gateway.url, ...headers },
    json: { api_key: INSTALLATION_KEY },
  });

describe('the address of a client', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['127.0.0.1, 198.51.100.9, 203.0.113.7', '203.0.113.7'],
    ['198.51.100.9, 203.0.113.7, fd00::5, 10.1.2.3', '203.0.113.7'],
    ['::ffff:203.0.113.7, ::ffff:10.1.2.3', '203.0.113.7'],
    ['2001:db8::7', '2001:db8::7'],
    ['127.0.0.1, somebody', 'unknown'],
  ])('is the last of %s that is not a listed proxy: %s', async (reported, seen) => {
    expect(await addressSeen(forwardedFor(reported))).toBe(seen);
  });

  test('is the peer when a listed proxy names none, and whenever the peer is not listed', async () => {
    expect(await addressSeen({})).toBe('127.0.0.1');
    await gateway.set({ TRUSTED_PROXIES: ['10.0.0.0/8'] });
    expect(await addressSeen(forwardedFor('203.0.113.7'))).toBe('127.0.0.1');
    await gateway.set({ TRUSTED_PROXIES: null });
    expect(await addressSeen(forwardedFor('203.0.113.8'))).toBe('127.0.0.1');
  });

  test('has a rate limit of its own, whatever addresses precede it in the header', async () => {
    const statusOf = async (reported: string) => (await guess(forwardedFor(reported))).status;
    for (let tries = 1; tries <= 5; tries += 1)
      expect(await statusOf(`198.51.100.${tries}, 203.0.113.7`)).toBe(403);
    expect(await statusOf('198.51.100.6, 203.0.113.7')).toBe(429);
    expect(await statusOf('203.0.113.8')).toBe(403);
  });
});

describe('the scheme', () => {
  const FORWARDED = { ...forwardedFor('203.0.113.7'), 'X-Forwarded-Proto': 'https' };

  test('reported by a listed proxy decides the cookie', async () => {
    expect((await keyLogin(FORWARDED)).headers.getSetCookie()[0]).toMatch(/^__Host-faxdesk_session=/u);
    expect((await keyLogin({})).headers.getSetCookie()[0]).toMatch(/^faxdesk_local_session=/u);
    const plainly = await keyLogin({ ...FORWARDED, 'X-Forwarded-Proto': 'http' });
    expect(plainly.status).toBe(403);
    await gateway.set({ TRUSTED_PROXIES: ['10.0.0.0/8'] });
    expect((await keyLogin(FORWARDED)).headers.getSetCookie()[0]).toMatch(/^faxdesk_local_session=/u);
  });

  test('http accepts no cookie of https once proxies are listed', async () => {
    await gateway.set({ PUBLIC_API_URL: 'https://fax.example.com' });
    const cookie = (await keyLogin(FORWARDED)).headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const statusOf = async (headers: Record<string, string>) =>
      (await gateway.request('GET', '/auth/me', { key: null, headers: { Cookie: cookie, ...headers } }))
        .status;
    expect([
      await statusOf(FORWARDED),
      await statusOf({}),
      await statusOf(forwardedFor('203.0.113.7')),
    ]).toEqual([200, 401, 401]);
    await gateway.set({ TRUSTED_PROXIES: null });
    expect(await statusOf({})).toBe(200);
    await gateway.set({ PUBLIC_API_URL: null });
    expect(await statusOf({})).toBe(401);
  });
});

test('a host reported by a proxy is not accepted as an own origin', async () => {
  const headers = { Origin: 'https://evil.example', 'X-Forwarded-Host': 'evil.example' };
  expect((await keyLogin(headers)).status).toBe(403);
});

const setProxy = (entry: string) =>
  gateway.request('PUT', '/admin/settings', { json: { changes: { TRUSTED_PROXIES: [entry] } } });

test.each(['10.0.0.0/33', 'proxy.example', '10.0.0.1/', '::/129', 'fe80::1%eth0'])(
  'a setting of %s is refused',
  async (entry) => {
    expect((await setProxy(entry)).status).toBe(422);
  },
);

test.each([
  '0.0.0.0/0',
  '::/0',
  '0.0.0.0/1',
  '128.0.0.0/7',
  '2000::/3',
  '::ffff:0.0.0.0/96',
  '0::ffff:0:0/96',
  '::/15',
  '::/64',
  'fc00::/6',
])('a range wide enough to contain strangers, %s, is refused', async (entry) => {
  expect((await setProxy(entry)).status).toBe(422);
});

test.each([
  '10.0.0.0/8',
  '172.16.0.0/12',
  '104.16.0.0/13',
  'fc00::/7',
  '2a06:98c0::/29',
  '::ffff:10.0.0.0/104',
])('a range of proxies such as %s is accepted', async (entry) => {
  expect((await setProxy(entry)).status).toBe(200);
});
