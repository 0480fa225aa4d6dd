import { Secret, TOTP } from 'otpauth';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AccessClient } from './access-changes.ts';
import { addPerson, GOOD_PASSWORD } from './access-records.ts';
import { type Answer, sessionOf, signIn, startGateway, type TestGateway } from './access-setup.ts';

const HALF_MINUTE = 30_000;
const WRONG = 'That code is not correct or was already used.';
const NEEDED = 'Enter the code from your authenticator app.';

let gateway: TestGateway;
let cookie: string;
let csrf: string;
let personId: string;

beforeEach(async () => {
  gateway = await startGateway();
  const ada = await addPerson(gateway, { login: 'ada', permissions: ['fax:read'] });
  personId = ada.id;
  ({ cookie, csrf } = await sessionOf(gateway, await signIn(gateway, 'ada', GOOD_PASSWORD)));
});

afterEach(() => gateway.stop());

/** Returns the code that the authenticator app shows now. */
const codeOf = (secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: gateway.clock.ms });

/** Enough time for the sign-in limits, and for the next code. */
function later(): void {
  gateway.clock.ms += 2 * HALF_MINUTE;
}

const post = (path: string, body: object) =>
  gateway.request('POST', `/auth/two-factor/${path}`, { cookie, csrf, origin: gateway.origin, body });

const state = async () => (await gateway.request('GET', '/auth/two-factor', { cookie })).body;

const enter = (code?: string): Promise<Answer> =>
  gateway.request('POST', '/auth/login', {
    origin: gateway.origin,
    body: { login: 'ada', password: GOOD_PASSWORD, ...(code === undefined ? {} : { code }) },
  });

const outcome = ({ status, body }: Answer) => [status, body.detail];

async function turnOn(): Promise<{ secret: string; codes: string[] }> {
  const { secret } = (await post('begin', { current_password: GOOD_PASSWORD })).body;
  const confirmed = await post('confirm', { code: codeOf(secret) });
  expect(confirmed.status).toBe(200);
  return { secret, codes: confirmed.body.recovery_codes };
}

describe('a second factor', () => {
  it('is off at first, and begun with the own password only', async () => {
    expect(await state()).toEqual({ enabled: false, passkeys: 0, required: false, recovery_codes_left: 0 });
    expect(outcome(await post('begin', { current_password: 'wrong password!' }))).toEqual([
      403,
      'The current password is not correct.',
    ]);
    const begun = (await post('begin', { current_password: GOOD_PASSWORD })).body;
    const uri = new URL(begun.otpauth_uri);
    expect([uri.protocol, uri.host, uri.searchParams.get('secret')]).toEqual([
      'otpauth:',
      'totp',
      begun.secret,
    ]);
    expect([uri.searchParams.get('issuer'), decodeURIComponent(uri.pathname)]).toEqual([
      'Example Clinic',
      '/Example Clinic:ada',
    ]);
    expect((await state()).enabled).toBe(false);
    expect((await enter()).status, 'nothing changes before a code was typed').toBe(200);
  });

  it('is turned on with a code, and ends the other sessions', async () => {
    const other = await sessionOf(gateway, await enter());
    const { codes } = await turnOn();
    expect(codes).toHaveLength(10);
    for (const code of codes) expect(code).toMatch(/^[a-z2-9]{4}(?:-[a-z2-9]{4}){5}$/u);
    expect(new Set(codes).size).toBe(10);
    expect(await state()).toEqual({ enabled: true, passkeys: 0, required: false, recovery_codes_left: 10 });
    expect((await gateway.request('GET', '/auth/me', { cookie: other.cookie })).status).toBe(401);
    expect(outcome(await post('begin', { current_password: GOOD_PASSWORD }))).toEqual([
      409,
      'The second factor is already on.',
    ]);
  });

  it('needs a code of its secret before it is on', async () => {
    expect(outcome(await post('confirm', { code: '123456' }))).toEqual([409, 'Request a secret first.']);
    const { secret } = (await post('begin', { current_password: GOOD_PASSWORD })).body;
    const wrong = codeOf(new Secret({ size: 20 }).base32);
    if (wrong !== codeOf(secret))
      expect(outcome(await post('confirm', { code: wrong }))).toEqual([403, WRONG]);
    expect((await state()).enabled).toBe(false);
  });

  it('is required at the sign-in, after the password', async () => {
    const { secret } = await turnOn();
    later();
    const wrongPassword = { login: 'ada', password: 'not the password', code: codeOf(secret) };
    const refused = await gateway.request('POST', '/auth/login', {
      origin: gateway.origin,
      body: wrongPassword,
    });
    expect(outcome(refused)).toEqual([401, 'The sign-in name or password is not correct.']);
    expect(outcome(await enter())).toEqual([401, NEEDED]);
    expect(outcome(await enter('000000'))).toEqual([401, WRONG]);
    expect((await enter(codeOf(secret))).status).toBe(200);
  });

  it('takes no code twice, and none that is old', async () => {
    const { secret } = await turnOn();
    expect(outcome(await enter(codeOf(secret))), 'the code that turned it on').toEqual([401, WRONG]);
    later();
    const code = codeOf(secret);
    expect((await enter(code)).status).toBe(200);
    expect(outcome(await enter(code))).toEqual([401, WRONG]);
    gateway.clock.ms += 3 * HALF_MINUTE;
    expect(outcome(await enter(code))).toEqual([401, WRONG]);
  });

  it('takes a code of a clock that is a little off', async () => {
    const { secret } = await turnOn();
    later();
    const code = codeOf(secret);
    gateway.clock.ms += HALF_MINUTE;
    expect((await enter(code)).status).toBe(200);
  });

  it('lets in with a recovery code, once each', async () => {
    const { codes } = await turnOn();
    later();
    const first = codes[0] ?? '';
    expect((await enter(first.toUpperCase().replaceAll('-', ' '))).status).toBe(200);
    expect(outcome(await enter(first))).toEqual([401, WRONG]);
    expect((await state()).recovery_codes_left).toBe(9);
    const stored = await gateway.db.read.selectFrom('recovery_code').selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain(first);
  });

  it('is stored sealed and never shown again', async () => {
    const { secret } = await turnOn();
    const row = await gateway.db.read
      .selectFrom('principal')
      .selectAll()
      .where('id', '=', personId)
      .execute();
    expect(JSON.stringify(row)).not.toContain(secret);
    expect(JSON.stringify(await gateway.events())).not.toContain(secret);
    expect(gateway.logged.join('\n')).not.toContain(secret);
  });

  it('gets new recovery codes for a code of the app', async () => {
    const { secret, codes } = await turnOn();
    later();
    const renewed = await post('recovery-codes', { code: codeOf(secret) });
    expect(renewed.body.recovery_codes).toHaveLength(10);
    later();
    expect(outcome(await enter(codes[0]))).toEqual([401, WRONG]);
    expect((await enter(renewed.body.recovery_codes[0])).status).toBe(200);
  });

  it('is turned off with password and code', async () => {
    const { secret, codes } = await turnOn();
    later();
    const code = codeOf(secret);
    expect((await post('remove', { current_password: 'not the password', code })).status).toBe(403);
    expect((await post('remove', { current_password: GOOD_PASSWORD, code: '000000' })).status).toBe(403);
    expect((await post('remove', { current_password: GOOD_PASSWORD, code })).status).toBe(200);
    later();
    expect((await enter()).status).toBe(200);
    expect(outcome(await post('recovery-codes', { code: codes[0] ?? '' }))).toEqual([
      409,
      'The second factor is off.',
    ]);
    const done = (await gateway.events()).filter(({ outcome: how }) => how === 'done');
    const said = done.map(({ operation }) => operation);
    expect(said.filter((operation) => operation.startsWith('two_factor'))).toEqual([
      'two_factor.off',
      'two_factor.on',
    ]);
  });

  it('cannot be guessed: tries run out', async () => {
    await turnOn();
    later();
    const statuses: number[] = [];
    for (let i = 0; i < 8; i += 1) statuses.push((await enter(`00000${i}`)).status);
    expect(statuses.at(-1)).toBe(429);
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(5);
  });

  it('is refused to keys, which have none', async () => {
    const client = new AccessClient(gateway);
    expect(outcome(await client.get('/auth/two-factor'))).toEqual([
      403,
      'This needs a session that began with a password.',
    ]);
  });
});

describe('a role that requires a second factor', () => {
  async function ask(): Promise<void> {
    const client = new AccessClient(gateway);
    const role = await client.role('Careful', ['fax:read'], { requires_two_factor: true });
    await client.assign({ kind: 'principal', id: personId, version: 1 }, role);
  }

  it('lets its holders do nothing before they set one up, and then cannot be turned off', async () => {
    await ask();
    const before = (await gateway.request('GET', '/auth/me', { cookie })).body;
    expect([before.two_factor_setup_required, before.permissions]).toEqual([true, []]);
    expect((await gateway.request('GET', '/look', { cookie })).body.installation).toEqual([]);
    expect((await state()).required).toBe(true);
    const { secret } = await turnOn();
    const after = (await gateway.request('GET', '/auth/me', { cookie })).body;
    expect([after.two_factor_setup_required, after.permissions]).toEqual([false, ['fax:read']]);
    later();
    const off = await post('remove', { current_password: GOOD_PASSWORD, code: codeOf(secret) });
    expect(outcome(off)).toEqual([409, 'Your role requires a second factor, so it cannot be turned off.']);
  });
});
