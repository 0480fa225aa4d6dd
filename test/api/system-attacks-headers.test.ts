import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ALL_PERMISSIONS } from '../../shared/permissions.ts';
import { AccessAdministrator } from '../setup/access-administrator.ts';
import { startTestGateway, type TestGateway, textFile } from '../setup/gateway.ts';
import { MINUTE } from '../setup/manual-clock.ts';
import { keyWith } from './console-stream.ts';

const ELSEWHERE = '203.0.113.9';
/** Headers of a proxy, sent by a stranger. */
const FORWARDED: Readonly<Record<string, string>> = {
  'X-Forwarded-For': ELSEWHERE,
  'X-Real-IP': ELSEWHERE,
  'X-Client-IP': ELSEWHERE,
  'True-Client-IP': ELSEWHERE,
  'CF-Connecting-IP': ELSEWHERE,
  Forwarded: `for=${ELSEWHERE};proto=https;host=elsewhere.example`,
  'X-Forwarded-Host': 'elsewhere.example',
  'X-Forwarded-Proto': 'https',
  'X-Forwarded-Ssl': 'on',
  'Front-End-Https': 'on',
};
const BREAKS = ['a\r\nSet-Cookie: planted=1', 'a\nb', 'a\rb', 'a\u0085b'];

let gateway: TestGateway;
let administrator: AccessAdministrator;
beforeAll(async () => {
  gateway = await startTestGateway();
  administrator = new AccessAdministrator(gateway);
});
// The limits of sign-ins are full again.
beforeEach(() => gateway.clock.advance(15 * MINUTE));
afterAll(() => gateway.close());

async function signIn(api_key: string, headers: Record<string, string>): Promise<Response> {
  const Origin = headers['Origin'] ?? gateway.url;
  return gateway.request('POST', '/auth/key-login', {
    key: null,
    json: { api_key },
    headers: { ...headers, Origin },
  });
}

describe('what a stranger says of a proxy', () => {
  test('moves no limit of an address', async () => {
    const statuses: number[] = [];
    for (let n = 0; n < 22; n += 1) {
      const address = `203.0.113.${n}`;
      const headers = {
        ...FORWARDED,
        'X-Forwarded-For': address,
        Forwarded: `for=${address}`,
        Origin: gateway.url,
      };
      const json = { login: `stranger${n}`, password: 'no such password' };
      statuses.push((await gateway.request('POST', '/auth/login', { key: null, json, headers })).status);
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(20);
    expect(statuses.slice(-2)).toEqual([429, 429]);
  });

  test('is neither in the audit nor in the sessions, and makes no secure line', async () => {
    const answer = await signIn(await keyWith(gateway, ...ALL_PERMISSIONS), FORWARDED);
    expect(answer.status).toBe(200);
    const [cookie = ''] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/^faxdesk_local_session=/u);
    expect(cookie).not.toContain('Secure');
    const { items: events } = await administrator.get('/access/audit?operation=session.begin&limit=1');
    expect(events[0].details.address).toBe('127.0.0.1');
    const { items: sessions } = await administrator.get('/access/sessions?limit=1');
    expect(JSON.stringify(sessions)).toContain('127.0.0.1');
    expect(JSON.stringify([events, sessions])).not.toContain(ELSEWHERE);
  });

  test('makes no origin its own', async () => {
    const headers = { ...FORWARDED, Host: 'elsewhere.example' };
    for (const Origin of [
      'https://elsewhere.example',
      'http://elsewhere.example',
      gateway.url.replace('http:', 'https:'),
    ])
      expect([Origin, (await signIn('key_live_a_b', { ...headers, Origin })).status]).toEqual([Origin, 403]);
  });

  test('turns no request into another one', async () => {
    const { id } = await gateway.send();
    const key = await keyWith(gateway, 'fax:read');
    const overrides = {
      'X-HTTP-Method-Override': 'DELETE',
      'X-HTTP-Method': 'DELETE',
      'X-Method-Override': 'DELETE',
      'X-Original-URL': '/admin/settings',
      'X-Rewrite-URL': '/admin/settings',
    };
    const plain = await gateway.request('GET', `/fax/${id}`, { key });
    const tried = await gateway.request('GET', `/fax/${id}?_method=DELETE`, { key, headers: overrides });
    expect([tried.status, await tried.text()]).toEqual([200, await plain.text()]);
  });
});

describe('a line break in a text', () => {
  test.each(BREAKS)('is no part of any name: %j', async (name) => {
    const { user } = await administrator.sendOk('POST', '/access/integrations', { display_name: 'Scanner' });
    const principal = { id: user.id, version: user.version };
    for (const [path, body] of [
      ['/access/users', { login: `l${Math.abs(name.length)}`, display_name: name }],
      ['/access/users', { login: name, display_name: 'Ann' }],
      ['/access/integrations', { display_name: name }],
      ['/access/groups', { name }],
      ['/access/roles', { name, permissions: [] }],
      ['/access/mailboxes', { label: name }],
      ['/access/keys', { principal, name, ceiling: [] }],
    ] as const)
      expect([path, body, (await administrator.send('POST', path, body)).status]).toEqual([path, body, 400]);
  });

  test('of a file reaches no header and no other line of a list', async () => {
    for (const [n, name] of BREAKS.entries()) {
      const form = new FormData();
      form.append('to', `+1202555012${n}`);
      form.append('titles', name);
      form.append('file', textFile('Dear colleague', `${name}.txt`));
      const sent = await gateway.request('POST', '/fax', { form });
      // A title on several lines is refused; a file name loses its control characters.
      if (sent.status === 400) continue;
      expect(sent.status).toBe(202);
      const { id } = (await sent.json()) as { id: string };
      for (const path of [`/fax/${id}/document`, `/fax/${id}/report`, `/fax/${id}`]) {
        const answer = await gateway.request('GET', path);
        expect([path, answer.status, answer.headers.get('set-cookie')]).toEqual([path, 200, null]);
        await answer.body?.cancel();
      }
    }
  });

  test('in a request id is not echoed, nor is a long one', async () => {
    for (const given of ['a b', 'a"b', '<b>', 'x'.repeat(65), 'é'])
      expect(
        (await gateway.request('GET', '/health', { headers: { 'X-Request-Id': given } })).headers.get(
          'x-request-id',
        ),
      ).not.toBe(given);
  });
});
