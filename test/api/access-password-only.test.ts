import { Secret, TOTP } from 'otpauth';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sha256Hex } from '../../server/platform/hash.ts';
import { dropPostgresDatabase } from '../setup/postgres.ts';
import { newPostgresDatabase, STORES, withoutPostgres } from '../setup/stores.ts';
import { AccessClient } from './access-changes.ts';
import { addKey, addPerson, GOOD_PASSWORD } from './access-records.ts';
import { type Answer, cookieOf, sessionOf, startGateway, type TestGateway } from './access-setup.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const ORIGIN = 'https://fax.example';
const SETTINGS = { publicApiUrl: ORIGIN, sessionIdleMinutes: 600 };
const OFFICE = '203.0.113.5';
const THIEF = '198.51.100.66';

let gateway: TestGateway;
let annId: string;
let secret: string;
let recoveryCodes: string[];
/** A session of Ann in another browser. */
let session: { cookie: string; csrf: string };

interface Where {
  from?: string;
  cookie?: string;
}

const enter = (code?: string, { from = OFFICE, cookie }: Where = {}): Promise<Answer> =>
  gateway.request('POST', '/auth/login', {
    origin: ORIGIN,
    from,
    cookie,
    body: { login: 'ann', password: GOOD_PASSWORD, ...(code === undefined ? {} : { code }) },
  });

const rightCode = () =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: gateway.clock.ms });

const post = (path: string, body: object) =>
  gateway.request('POST', path, { ...session, origin: ORIGIN, body });

const notice = async () =>
  (await gateway.request('GET', '/auth/sign-in-notice', { cookie: session.cookie })).body.notice;

const outcome = ({ status, body, headers }: Answer) => [status, body.detail, headers.get('retry-after')];

async function begin(postgres?: string): Promise<void> {
  gateway = await startGateway({
    settings: SETTINGS,
    ...(postgres === undefined ? {} : { postgresUrl: postgres }),
  });
  annId = (await addPerson(gateway, { login: 'ann', permissions: ['fax:send'] })).id;
  session = await sessionOf(gateway, await enter());
  secret = (await post('/auth/two-factor/begin', { current_password: GOOD_PASSWORD })).body.secret;
  recoveryCodes = (await post('/auth/two-factor/confirm', { code: rightCode() })).body.recovery_codes;
  gateway.clock.ms += 15 * MINUTE;
}

/** Wrong codes until no more are looked at, with time for the limits of passwords between them. */
async function wrongCodes(where: Where): Promise<number> {
  for (let tries = 0; tries < 30; tries += 1) {
    gateway.clock.ms += MINUTE;
    const { status, body } = await enter('000000', where);
    if (status === 429 && body.detail.includes('codes')) return tries;
  }
  throw new Error('thirty codes were looked at');
}

describe.each(STORES)(`the right password without the code, with %s${withoutPostgres},`, (store) => {
  let database: string | undefined;
  beforeEach(async () => {
    database = store === 'postgres' ? await newPostgresDatabase() : undefined;
    await begin(database);
  });
  afterEach(async () => {
    await gateway.stop();
    if (database !== undefined) await dropPostgresDatabase(database);
  });

  it('is a separate record, and is shown to the person until they dismiss it', async () => {
    expect(await notice()).toBe(null);
    const missing = await enter(undefined, { from: THIEF });
    expect(missing.status).toBe(401);
    gateway.clock.ms += MINUTE;
    const wrong = await enter('000000', { from: '198.51.100.67', cookie: cookieOf(missing) });
    expect(wrong.status).toBe(401);
    const refused = (await gateway.events()).filter(({ outcome: how }) => how === 'refused');
    expect(refused.map(({ operation, target, details }) => [operation, target.id, details])).toEqual([
      ['session.password_only', annId, { address: '198.51.100.67', reason: 'code_wrong' }],
      ['session.password_only', annId, { address: THIEF, reason: 'code_missing' }],
    ]);
    const told = await notice();
    expect(told).toEqual({
      count: 2,
      last_at: new Date(gateway.clock.ms).toISOString(),
      last_address: '198.51.100.67',
    });
    gateway.clock.ms += HOUR;
    await enter(undefined, { from: THIEF });
    expect(await notice()).toMatchObject({ count: 3, last_address: THIEF });
    expect((await post('/auth/sign-in-notice/dismiss', { last_at: told.last_at })).status).toBe(200);
    const left = await notice();
    expect(left, 'what came since').toMatchObject({ last_address: THIEF });
    await post('/auth/sign-in-notice/dismiss', { last_at: left.last_at });
    expect(await notice()).toBe(null);
  });

  it('is not shown when the sign-in was finished in that browser, whatever was mistyped before', async () => {
    const asked = await enter();
    expect(asked.cookies[0]).toMatch(
      /^__Host-faxdesk_sign_in=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Strict$/u,
    );
    const cookie = cookieOf(asked);
    expect((await enter('000000', { cookie })).status).toBe(401);
    expect(await notice()).toMatchObject({ count: 2 });
    expect((await enter(rightCode(), { cookie })).status).toBe(200);
    expect(await notice()).toBe(null);
    expect((await gateway.events())[0]).toMatchObject({
      operation: 'session.begin',
      details: { second_factor: 'code' },
    });
  });

  it('is shown although the person signs in at the same address, and after a restart', async () => {
    await enter();
    gateway.clock.ms += 11 * MINUTE;
    await enter();
    gateway.clock.ms += 11 * MINUTE;
    expect((await enter(rightCode())).status).toBe(200);
    const again = await startGateway({ beside: gateway, settings: SETTINGS });
    try {
      const { body } = await again.request('GET', '/auth/sign-in-notice', { cookie: session.cookie });
      expect(body.notice).toMatchObject({ count: 2, last_address: OFFICE });
    } finally {
      await again.stop();
    }
  });

  it('leads to ten codes a day from one address, and the person gets in from another', async () => {
    expect(await wrongCodes({ from: THIEF })).toBe(10);
    gateway.clock.ms += MINUTE;
    expect(outcome(await enter(rightCode(), { from: THIEF })).slice(0, 2)).toEqual([
      429,
      'Too many wrong codes. You can try another one in 2 hours and 13 minutes.',
    ]);
    expect((await gateway.events())[0]).toMatchObject({
      operation: 'session.password_only',
      details: { reason: 'too_many_codes' },
    });
    expect((await enter(rightCode())).status).toBe(200);
    const again = await startGateway({ beside: gateway, settings: SETTINGS });
    try {
      gateway.clock.ms += MINUTE;
      const body = { login: 'ann', password: GOOD_PASSWORD, code: recoveryCodes[0] };
      const late = await again.request('POST', '/auth/login', { origin: ORIGIN, from: THIEF, body });
      expect(late.status, 'a recovery code, after a restart').toBe(429);
    } finally {
      await again.stop();
    }
    gateway.clock.ms += 132 * MINUTE;
    expect((await enter(rightCode(), { from: THIEF })).status).toBe(200);
  });
});

describe('tries of codes', () => {
  beforeEach(() => begin());
  afterEach(() => gateway.stop());

  const browserOf = ({ cookies }: Answer) => cookies[1]?.split(';')[0] ?? '';

  it('are twenty a day from everywhere, and others in a known browser', async () => {
    const cookie = browserOf(await enter(rightCode()));
    let tries = 0;
    for (const n of [1, 2, 3]) tries += await wrongCodes({ from: `198.51.100.${n}` });
    expect(tries).toBe(20);
    gateway.clock.ms += MINUTE;
    expect((await enter(rightCode(), { from: '192.0.2.1' })).status).toBe(429);
    expect((await enter(rightCode(), { cookie })).status).toBe(200);
  });

  it('of a known browser end as well', async () => {
    const cookie = browserOf(await enter(rightCode()));
    expect(await wrongCodes({ cookie })).toBe(10);
    gateway.clock.ms += MINUTE;
    expect((await enter(rightCode(), { from: '192.0.2.1' })).status).toBe(200);
  });

  it('count wrong recovery codes, and no right code of either kind', async () => {
    for (let n = 0; n < 9; n += 1) {
      gateway.clock.ms += MINUTE;
      expect((await enter(`abcd-efgh-jkmn-pqr${n + 2}`)).status).toBe(401);
      gateway.clock.ms += MINUTE;
      expect((await enter(n % 2 === 0 ? rightCode() : recoveryCodes[n])).status).toBe(200);
    }
    expect(await wrongCodes({})).toBe(1);
  });

  it('run out for who is signed in as well', async () => {
    const renew = (code: string) => post('/auth/two-factor/recovery-codes', { code });
    for (let n = 0; n < 10; n += 1) {
      gateway.clock.ms += MINUTE;
      expect((await renew('000000')).status).toBe(403);
    }
    gateway.clock.ms += MINUTE;
    expect(outcome(await renew(rightCode()))[1]).toContain('Too many wrong codes.');
    expect((await enter(rightCode())).status, 'elsewhere').toBe(200);
  });
});

describe('a role that requires a second factor', () => {
  beforeEach(() => begin());
  afterEach(() => gateway.stop());

  const SECRET = 'a-secret-of-forty-three-characters-at-least';
  const keyOf = async (principalId: string) => {
    const ceiling: [string, string][] = [['fax:send', 'installation']];
    const keyId = await addKey(gateway, { principalId, ceiling, secretHash: sha256Hex(SECRET) });
    return `key_live_${keyId}_${SECRET}`;
  };
  const withKey = (api_key: string) =>
    gateway.request('POST', '/auth/key-login', { origin: ORIGIN, body: { api_key } });

  it('lets nobody sign in with a key, and ends the sessions that began so', async () => {
    const { id, roleId } = await addPerson(gateway, { login: 'bob', permissions: ['fax:send'] });
    const key = await keyOf(id);
    const { cookie } = await sessionOf(gateway, await withKey(key));
    const client = new AccessClient(gateway);
    const { role } = (await client.get(`/access/roles/${roleId}`)).body;
    await client.sendOk('PATCH', `/access/roles/${roleId}`, {
      requires_two_factor: true,
      version: role.version,
    });
    expect((await gateway.request('GET', '/auth/me', { cookie })).status).toBe(401);
    expect(outcome(await withKey(key)).slice(0, 2)).toEqual([
      403,
      'A role of that key requires a second factor: sign in with name, password and code.',
    ]);
    expect((await gateway.events())[0]).toMatchObject({ operation: 'session.begin', outcome: 'refused' });
  });

  it('takes away what keys of a person may do who has none, and leaves those who have', async () => {
    const { id, roleId } = await addPerson(gateway, { login: 'bob', permissions: ['fax:send'] });
    const [ofBob, ofAnn] = [await keyOf(id), await keyOf(annId)];
    const client = new AccessClient(gateway);
    const { role } = (await client.get(`/access/roles/${roleId}`)).body;
    const use = async (key: string) => (await gateway.request('POST', '/send', { key })).status;
    expect([await use(ofBob), await use(ofAnn)]).toEqual([200, 200]);
    const changed = await client.sendOk('PATCH', `/access/roles/${roleId}`, {
      requires_two_factor: true,
      version: role.version,
    });
    await client.assign({ kind: 'principal', id: annId, version: 2 }, changed.role);
    expect([await use(ofBob), await use(ofAnn)]).toEqual([403, 200]);
  });
});
