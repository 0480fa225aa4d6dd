import { readdir, readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sha256Hex } from '../../server/platform/hash.ts';
import { DEVICE_PERMISSIONS } from '../../shared/api/pairing.ts';
import { ERRORS } from '../../shared/errors/all.ts';
import type { Permission } from '../../shared/permissions.ts';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { MINUTE, SECOND } from '../setup/manual-clock.ts';

const PUBLIC = 'https://fax.example.com';

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startTestGateway({ settings: { PUBLIC_API_URL: PUBLIC, INBOUND_ENABLED: 'true' } });
});
afterEach(() => gateway.close());

interface Answer {
  status: number;
  // Answers of several routes.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
  headers: Headers;
}
type RequestOptions = { key?: string | null; json?: unknown };

async function request(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
  const response = await gateway.request(method, path, options);
  return { status: response.status, body: await response.json(), headers: response.headers };
}

async function keyWith(scopes: readonly Permission[]): Promise<{ key_id: string; token: string }> {
  return (await request('POST', '/admin/api-keys', { json: { name: scopes.join(' '), scopes } })).body;
}

const PAIRER: Permission[] = ['tunnels:pair', ...DEVICE_PERMISSIONS];

const codeOf = async (options: { key?: string; json?: unknown } = {}) =>
  (await request('POST', '/admin/tunnel/pair', options)).body.code as string;
const pair = (code: string, more: object = {}) =>
  request('POST', '/mobile/pair', { key: null, json: { code, ...more } });
const devices = async () =>
  (await request('GET', '/access/keys')).body.items.filter((key: { principal: { display_name: string } }) =>
    key.principal.display_name.startsWith('Device: '),
  );
const events = async (operation: string) =>
  (await request('GET', `/access/audit?operation=${operation}`)).body.items;

/** A record without what differs from one to the next. */
const shapeOf = (record: object) =>
  JSON.stringify({ ...record, id: 0, seq: 0, digest: 0, at: 0, last_at: 0, request_id: 0 });

/** Six digits that are not the code. */
const other = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

function expectRefused(answer: Answer): void {
  expect([answer.status, answer.body]).toEqual([403, { detail: ERRORS.pairing_refused.sentence }]);
}

describe('a code', () => {
  test('makes the key of one device, which may fax and read, and nothing else', async () => {
    const made = await request('POST', '/admin/tunnel/pair', { json: { device_name: 'Phone of Ann' } });
    expect(made.status).toBe(200);
    expect(made.body.code).toMatch(/^\d{6}$/u);
    expect(Date.parse(made.body.expires_at)).toBe(gateway.clock.now() + 5 * MINUTE);
    const paired = await pair(made.body.code, { device_name: 'Pixel' });
    expect(paired.status).toBe(200);
    expect(paired.body.base_urls).toEqual({ local: gateway.url, tunnel: null, public: PUBLIC });
    const key = paired.body.token as string;
    const me = await request('GET', '/auth/me', { key });
    expect(me.body).toMatchObject({
      principal: { kind: 'integration', display_name: 'Device: Phone of Ann' },
    });
    expect(new Set(me.body.permissions)).toEqual(new Set(DEVICE_PERMISSIONS));
    expect((await request('GET', '/inbound', { key })).status).toBe(200);
    expect((await request('GET', '/admin/settings', { key })).status).toBe(403);
    expect(await devices()).toMatchObject([{ name: 'Phone of Ann', state: 'active', expires_at: null }]);
  });

  test('is named by the device when nobody else named it, may be typed in groups, and needs no body', async () => {
    const code = await codeOf();
    const paired = await pair(`${code.slice(0, 3)} ${code.slice(3)}`, { device_name: 'Pixel' });
    expect(paired.status).toBe(200);
    await pair(await codeOf({ json: {} }));
    const names = (await devices()).map(
      (key: { principal: { display_name: string } }) => key.principal.display_name,
    );
    expect(names.sort()).toEqual(['Device: Mobile device', 'Device: Pixel']);
  });

  test('works once, for five minutes, and ends when its maker makes another', async () => {
    const used = await codeOf();
    expect((await pair(used)).status).toBe(200);
    expectRefused(await pair(used));
    const replaced = await codeOf();
    const late = await codeOf();
    if (replaced !== late) expectRefused(await pair(replaced));
    gateway.clock.advance(5 * MINUTE);
    expectRefused(await pair(late));
    const last = await codeOf();
    gateway.clock.advance(5 * MINUTE - 1);
    expect((await pair(last)).status).toBe(200);
    expect(await devices()).toHaveLength(2);
  });

  test('of one maker leaves that of another alone', async () => {
    const pairer = await keyWith(PAIRER);
    const theirs = await codeOf({ key: pairer.token });
    const ours = await codeOf();
    expect([(await pair(theirs)).status, (await pair(ours)).status]).toEqual([200, 200]);
  });

  test('is kept only as a hash that needs the data key', async () => {
    const code = await codeOf();
    const files = (await readdir(gateway.dataFolder)).filter((name) => name.startsWith('faxdesk.sqlite'));
    const bytes = await Promise.all(files.map((name) => readFile(`${gateway.dataFolder}/${name}`)));
    const store = Buffer.concat(bytes).toString('latin1');
    expect(store).toContain('pairing_code');
    expect(store).not.toContain(sha256Hex(code));
    expect(gateway.logLines.join('')).not.toContain(code);
  });
});

describe('who makes a code', () => {
  test('holds tunnels:pair and everything that the device gets', async () => {
    const create = (key: string) => request('POST', '/admin/tunnel/pair', { key });
    for (const missing of PAIRER) {
      const { token } = await keyWith(PAIRER.filter((permission) => permission !== missing));
      expect([missing, (await create(token)).status]).toEqual([missing, 403]);
    }
    expect((await create((await keyWith(PAIRER)).token)).status).toBe(200);
  });

  test.each([
    ['was revoked', (id: string) => request('DELETE', `/admin/api-keys/${id}`)],
    ['got a smaller ceiling', (id: string) => narrow(id, ['tunnels:pair', 'fax:send'])],
    ['may pair no more', (id: string) => narrow(id, DEVICE_PERMISSIONS)],
  ])('with a key that %s lets no device in', async (_words, change) => {
    const maker = await keyWith(PAIRER);
    const code = await codeOf({ key: maker.token });
    expect((await change(maker.key_id)).status).toBe(200);
    expectRefused(await pair(code));
    expect(await devices()).toEqual([]);
  });

  test('is somebody else after the installation key was replaced', async () => {
    const code = await codeOf();
    gateway = await gateway.restart();
    expectRefused(await pair(code));
  });

  async function narrow(id: string, permissions: readonly string[]): Promise<Answer> {
    const { policy_version } = (await request('GET', '/access/keys')).body;
    const ceiling = permissions.map((permission) => ({ permission, resource_id: 'installation' }));
    const json = { version: 1, expected_policy_version: policy_version, ceiling };
    return await request('PATCH', `/access/keys/${id}`, { json });
  }
});

describe('guessing', () => {
  test('is one and the same refusal for every failure', async () => {
    const code = await codeOf();
    for (const wrong of [other(code), '', 'abcdef', `${code}0`, code.slice(1)]) {
      expectRefused(await pair(wrong));
      gateway.clock.advance(12 * SECOND);
    }
    expect((await pair(code)).status).toBe(200);
  });

  test.each<[string, Parameters<TestGateway['request']>[2]]>([
    ['no body', {}],
    ['no code', { json: {} }],
    ['a code that is a number', { json: { code: 123_456 } }],
    ['a code that is a list', { json: { code: ['123456'] } }],
    ['a code that is too long', { json: { code: '1'.repeat(500) } }],
    ['an unknown field', { json: { code: '123456', pin: 1 } }],
    ['a name of the device that nobody can see', { json: { code: '123456', device_name: '\u202e' } }],
    ['a list', { json: ['123456'] }],
    ['a form', { form: new FormData() }],
    ['no JSON', { json: undefined, headers: { 'Content-Type': 'application/json' } }],
    ['more than fits', { json: { code: 'x'.repeat(2 * 1024 * 1024) } }],
  ])('with %s is that refusal as well, recorded and counted', async (_words, options) => {
    const before = (await events('pairing.use')).length;
    for (let tries = 0; tries < 5; tries += 1) {
      const response = await gateway.request('POST', '/mobile/pair', { key: null, ...options });
      expectRefused({ status: response.status, body: await response.json(), headers: response.headers });
      expect(response.headers.get('X-Error-Code')).toBe('pairing_refused');
    }
    expect((await pair('123456')).status).toBe(429);
    const records = await events('pairing.use');
    expect(records).toHaveLength(before + 5);
    for (const { outcome, details } of records)
      expect([outcome, details]).toEqual(['refused', { address: '127.0.0.1' }]);
  });

  test('takes the same steps whatever is wrong', async () => {
    const maker = await keyWith(PAIRER);
    const ofNobody = await codeOf({ key: maker.token });
    await request('DELETE', `/admin/api-keys/${maker.key_id}`);
    const used = await codeOf();
    await pair(used);
    const late = await codeOf();
    gateway.clock.advance(5 * MINUTE);
    const fresh = await codeOf({ json: { device_name: 'Another phone' } });
    const { policy_version } = (await request('GET', '/access/keys')).body;
    const headersOf = (headers: Headers) =>
      Object.fromEntries([...headers].filter(([name]) => !['x-request-id', 'date'].includes(name)));
    const answers = [];
    for (const code of [ofNobody, used, late, other(fresh), '', 'x'.repeat(21)]) {
      const { status, body, headers } = await pair(code);
      answers.push({ status, body, headers: headersOf(headers) });
      gateway.clock.advance(12 * SECOND);
    }
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(new Set((await events('pairing.use')).slice(0, 6).map(shapeOf)).size).toBe(1);
    expect((await request('GET', '/access/keys')).body.policy_version).toBe(policy_version);
  });

  test('is let try five times a minute, and a restart changes nothing about that', async () => {
    const code = await codeOf({ key: (await keyWith(PAIRER)).token });
    for (let tries = 0; tries < 5; tries += 1) expectRefused(await pair(other(code)));
    const limited = await pair(code);
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '12']);
    gateway = await gateway.restart();
    expect((await pair(code)).status).toBe(429);
    gateway.clock.advance(12 * SECOND);
    expect((await pair(code)).status).toBe(200);
    expect((await pair(code)).status).toBe(429);
  });
});

test('codes, devices and refusals are in the security audit, and no code is', async () => {
  const code = await codeOf({ json: { device_name: 'Tablet' } });
  expectRefused(await pair(other(code)));
  await pair(code);
  const [created] = await events('pairing.create');
  expect(created).toMatchObject({ outcome: 'done', details: { device_name: 'Tablet' } });
  const [done, refused] = await events('pairing.use');
  const [device] = await devices();
  expect(done).toMatchObject({
    outcome: 'done',
    credential_kind: 'pairing_code',
    target: { kind: 'api_key', id: device.key_id },
    details: { device_name: 'Tablet', address: '127.0.0.1', principal_id: device.principal.id },
  });
  expect(refused).toMatchObject({ outcome: 'refused', details: { address: '127.0.0.1' } });
  expect(JSON.stringify([created, done, refused])).not.toContain(`"${code}"`);
});
