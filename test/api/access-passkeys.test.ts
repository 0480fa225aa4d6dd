import { Secret, TOTP } from 'otpauth';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dropPostgresDatabase } from '../setup/postgres.ts';
import { type Faults, SoftwareAuthenticator } from '../setup/software-authenticator.ts';
import { newPostgresDatabase, STORES, withoutPostgres } from '../setup/stores.ts';
import { AccessClient } from './access-changes.ts';
import { addPerson, GOOD_PASSWORD } from './access-records.ts';
import { type Answer, cookieOf, sessionOf, startGateway, type TestGateway } from './access-setup.ts';

const MINUTE = 60_000;
const REFUSED = [401, 'That passkey was not accepted. Try again, or sign in another way.'];

let gateway: TestGateway;
let origin: string;
let device: SoftwareAuthenticator;
let annId: string;
let session: { cookie: string; csrf: string };

const post = (path: string, body: object, who: { cookie?: string; csrf?: string; origin?: string } = {}) =>
  gateway.request('POST', path, { origin, ...who, body });
const own = (path: string, body: object = {}) => post(path, body, session);
const outcome = ({ status, body }: Answer) => [status, body.detail];

const enter = (more: object, cookie?: string): Promise<Answer> =>
  post(
    '/auth/login',
    { login: 'ann', password: GOOD_PASSWORD, ...more },
    cookie === undefined ? {} : { cookie },
  );

async function add(name = 'Laptop', more: object = {}, with_ = device): Promise<Answer> {
  gateway.clock.ms += MINUTE;
  const begun = await own('/auth/passkeys/begin', { current_password: GOOD_PASSWORD, ...more });
  expect(outcome(begun)).toEqual([200, undefined]);
  const passkey = with_.create(begun.body);
  return await own('/auth/passkeys', { name, passkey });
}

/** A sign-in with a passkey alone, as the device and the browser do it. */
async function enterAlone(faults: Faults = {}, cookie?: string): Promise<Answer> {
  const begun = await post('/auth/passkey/options', {}, cookie === undefined ? {} : { cookie });
  expect(begun.status).toBe(200);
  const passkey = device.sign(begun.body, faults);
  return await post('/auth/passkey/login', { passkey }, { cookie: cookieOf(begun) });
}

/** A sign-in with password and passkey. */
async function enterWith(faults: Faults = {}): Promise<Answer> {
  gateway.clock.ms += MINUTE;
  const asked = await enter({});
  expect(outcome(asked)).toEqual([401, 'Use your passkey, or enter a recovery code.']);
  const cookie = cookieOf(asked);
  const begun = await post('/auth/passkey/options', { second_factor: true }, { cookie });
  expect(begun.status).toBe(200);
  return await enter({ passkey: device.sign(begun.body, faults) }, cookie);
}

const lastEvent = async () => (await gateway.events())[0];

describe.each(STORES)(`with %s${withoutPostgres},`, (store) => {
  let database: string | null;
  beforeEach(async () => {
    database = store === 'postgres' ? await newPostgresDatabase() : null;
    gateway = await startGateway(database === null ? {} : { postgresUrl: database });
    origin = `http://localhost:${gateway.port}`;
    device = new SoftwareAuthenticator(origin);
    annId = (await addPerson(gateway, { login: 'ann', permissions: ['fax:send'] })).id;
    session = await sessionOf(gateway, await enter({}));
  });

  afterEach(async () => {
    await gateway.stop();
    if (database !== null) await dropPostgresDatabase(database);
  });

  describe('a passkey', () => {
    it('is added with the password, as the first second factor with recovery codes, and listed', async () => {
      const other = await sessionOf(gateway, await enter({}));
      const added = await add('Laptop');
      expect(added.body).toMatchObject({
        passkey: { name: 'Laptop', host: 'localhost', last_used_at: null },
      });
      expect(added.body.recovery_codes).toHaveLength(10);
      expect((await gateway.request('GET', '/auth/me', { cookie: other.cookie })).status).toBe(401);
      const code = added.body.recovery_codes[0];
      const second = await add('Security key', { code }, new SoftwareAuthenticator(origin));
      expect(second.body.recovery_codes).toBe(null);
      const { body } = await gateway.request('GET', '/auth/passkeys', session);
      expect(body.items.map(({ name }: { name: string }) => name)).toEqual(['Laptop', 'Security key']);
      expect((await gateway.request('GET', '/auth/two-factor', session)).body).toEqual({
        enabled: false,
        passkeys: 2,
        required: false,
        recovery_codes_left: 9,
      });
      expect(await lastEvent()).toMatchObject({
        operation: 'passkey.add',
        details: { passkey: 'Security key' },
      });
    });

    it('needs the password, and the second factor where there is one', async () => {
      const begin = (body: object) => own('/auth/passkeys/begin', body);
      expect(outcome(await begin({ current_password: 'wrong' }))).toEqual([
        403,
        'The current password is not correct.',
      ]);
      await add();
      gateway.clock.ms += MINUTE;
      expect(outcome(await begin({ current_password: GOOD_PASSWORD }))).toEqual([
        403,
        'Confirm with a code or a passkey as well.',
      ]);
      const proof = await own('/auth/passkeys/proof');
      const passkey = device.sign(proof.body);
      expect((await begin({ current_password: GOOD_PASSWORD, passkey })).status).toBe(200);
      gateway.clock.ms += MINUTE;
      expect(outcome(await begin({ current_password: GOOD_PASSWORD, passkey })), 'used before').toEqual([
        403,
        'That passkey was not accepted.',
      ]);
    });

    it('is not made of an answer for another challenge, page or name, nor without finger, face or PIN', async () => {
      const faults: Faults[] = [
        { challenge: 'AAAA' },
        { origin: 'https://evil.example' },
        { rpId: 'evil.example' },
        { type: 'webauthn.get' },
        { isUnverified: true },
        { attestation: { fmt: 'packed', attStmt: new Map([['x5c', [new Uint8Array(8)]]]) } },
        { attestation: { fmt: 'apple', attStmt: new Map() } },
      ];
      for (const fault of faults) {
        gateway.clock.ms += MINUTE;
        const begun = await own('/auth/passkeys/begin', { current_password: GOOD_PASSWORD });
        const passkey = device.create(begun.body, fault);
        expect([fault, (await own('/auth/passkeys', { name: 'x', passkey })).status]).toEqual([fault, 403]);
        const good = device.create(begun.body);
        expect(
          outcome(await own('/auth/passkeys', { name: 'x', passkey: good })),
          'the same challenge',
        ).toEqual([409, 'That took too long or was already used. Start adding the passkey again.']);
      }
      const late = await own('/auth/passkeys/begin', { current_password: GOOD_PASSWORD });
      gateway.clock.ms += 5 * MINUTE;
      expect((await own('/auth/passkeys', { name: 'x', passkey: device.create(late.body) })).status).toBe(
        409,
      );
      expect((await gateway.request('GET', '/auth/passkeys', session)).body.items).toEqual([]);
    });

    it('is removed with password and second factor, unless a role requires it', async () => {
      const { passkey, recovery_codes: codes } = (await add()).body;
      const remove = (body: object) => own(`/auth/passkeys/${passkey.id}/remove`, body);
      gateway.clock.ms += MINUTE;
      expect((await remove({ current_password: GOOD_PASSWORD })).status).toBe(403);
      expect((await remove({ current_password: GOOD_PASSWORD, code: '000000' })).status).toBe(403);
      expect((await remove({ current_password: 'wrong', code: codes[0] })).status).toBe(403);
      const client = new AccessClient(gateway);
      const role = await client.role('Careful', ['fax:read'], { requires_two_factor: true });
      const person = (await client.get(`/access/users/${annId}`)).body.user;
      const given = await client.assign({ kind: 'principal', id: annId, version: person.version }, role);
      gateway.clock.ms += MINUTE;
      expect(outcome(await remove({ current_password: GOOD_PASSWORD, code: codes[1] }))).toEqual([
        409,
        'Your role requires a second factor, so it cannot be turned off.',
      ]);
      await client.sendOk('POST', `/access/assignments/${given.id}/remove`, { version: given.version });
      gateway.clock.ms += MINUTE;
      const proof = await own('/auth/passkeys/proof');
      const removed = await remove({ current_password: GOOD_PASSWORD, passkey: device.sign(proof.body) });
      expect(outcome(removed)).toEqual([200, undefined]);
      expect((await lastEvent())?.operation).toBe('passkey.remove');
      expect((await gateway.request('GET', '/auth/two-factor', session)).body.recovery_codes_left).toBe(0);
      expect((await enter({})).status).toBe(200);
    });

    it('of somebody else is not found', async () => {
      const { passkey, recovery_codes: codes } = (await add()).body;
      await addPerson(gateway, { login: 'bob' });
      const body = { login: 'bob', password: GOOD_PASSWORD };
      session = await sessionOf(gateway, await post('/auth/login', body));
      const bobs = new SoftwareAuthenticator(origin);
      await add('Mine', {}, bobs);
      gateway.clock.ms += MINUTE;
      const proof = await own('/auth/passkeys/proof');
      const removal = { current_password: GOOD_PASSWORD, passkey: bobs.sign(proof.body) };
      expect((await own(`/auth/passkeys/${passkey.id}/remove`, removal)).status).toBe(404);
      expect(codes).toHaveLength(10);
    });

    it('works at a host name with HTTPS, or at localhost', async () => {
      gateway.settings.allowInsecureHttpSessions = true;
      gateway.settings.allowedOrigins = ['http://fax.example', 'https://fax.example'];
      const at = async (page: string) => outcome(await post('/auth/passkey/options', {}, { origin: page }));
      expect(await at(`http://127.0.0.1:${gateway.port}`)).toEqual([
        409,
        'Passkeys do not work with an IP address. Open Faxdesk by its name. On the Faxdesk computer, use localhost.',
      ]);
      expect(await at('http://fax.example')).toEqual([
        409,
        'Passkeys need HTTPS, or localhost on the Faxdesk computer.',
      ]);
      expect((await at('https://fax.example'))[0]).toBe(200);
      expect((await at('https://evil.example'))[0]).toBe(403);
    });

    it('goes with the second factor when an administrator removes that', async () => {
      await add();
      const client = new AccessClient(gateway);
      const { user } = (await client.get(`/access/users/${annId}`)).body;
      expect(user.two_factor).toBe(true);
      await client.sendOk('POST', `/access/users/${annId}/reset-two-factor`, { version: user.version });
      expect(await lastEvent()).toMatchObject({
        operation: 'user.reset_two_factor',
        details: { was_on: true },
      });
      expect(await gateway.db.read.selectFrom('passkey').selectAll().execute()).toEqual([]);
      gateway.clock.ms += MINUTE;
      expect((await enter({})).status).toBe(200);
      expect(outcome(await enterAlone())).toEqual(REFUSED);
    });
  });

  describe('after the password', () => {
    beforeEach(async () => {
      await add();
    });

    it('a passkey is the second factor, once for each challenge', async () => {
      const entered = await enterWith();
      expect(entered.status).toBe(200);
      const { operation, details } = (await lastEvent()) ?? {};
      expect([operation, details?.['second_factor']]).toEqual(['session.begin', 'passkey']);
      const { cookie } = await sessionOf(gateway, entered);
      const { items } = (await gateway.request('GET', '/auth/passkeys', { cookie })).body;
      expect(items[0].last_used_at).toBe(new Date(gateway.clock.ms).toISOString());
      expect((await gateway.request('GET', '/auth/sign-in-notice', { cookie })).body.notice).toBe(null);
    });

    it('is offered beside the code where there is both', async () => {
      gateway.clock.ms += MINUTE;
      const begin = (more: object) =>
        own('/auth/two-factor/begin', { current_password: GOOD_PASSWORD, ...more });
      expect(outcome(await begin({}))).toEqual([403, 'Confirm with a code or a passkey as well.']);
      gateway.clock.ms += MINUTE;
      const passkey = device.sign((await own('/auth/passkeys/proof')).body);
      const { secret } = (await begin({ passkey })).body;
      const totp = new TOTP({ secret: Secret.fromBase32(secret) });
      const code = () => totp.generate({ timestamp: gateway.clock.ms });
      expect((await own('/auth/two-factor/confirm', { code: code() })).status).toBe(200);
      gateway.clock.ms += MINUTE;
      expect(outcome(await enter({}))).toEqual([
        401,
        'Enter the code from your authenticator app, or use your passkey.',
      ]);
      expect((await enter({ code: code() })).status).toBe(200);
      gateway.clock.ms += MINUTE;
      const removal = { current_password: GOOD_PASSWORD, code: code() };
      expect((await own('/auth/two-factor/remove', removal)).status).toBe(200);
      const state = (await gateway.request('GET', '/auth/two-factor', session)).body;
      expect([state.enabled, state.passkeys, state.recovery_codes_left], 'the codes stay').toEqual([
        false,
        1,
        10,
      ]);
    });

    it.each<[string, Faults]>([
      ['of another page', { origin: 'https://evil.example' }],
      ['for another name', { rpId: 'evil.example' }],
      ['for another challenge', { challenge: 'AAAA' }],
      ['of another kind', { type: 'webauthn.create' }],
      ['that nobody touched', { isAbsent: true }],
      ['with a counter that went back', { counter: 0 }],
    ])('an answer %s is refused, recorded and reported', async (_what, faults) => {
      await enterWith();
      expect(outcome(await enterWith(faults))).toEqual(REFUSED);
      expect(await lastEvent()).toMatchObject({
        operation: 'session.password_only',
        outcome: 'refused',
        details: { reason: 'passkey_wrong' },
      });
      const { cookie } = await sessionOf(gateway, await enterWith());
      expect((await gateway.request('GET', '/auth/sign-in-notice', { cookie })).body.notice.count).toBe(2);
    });

    it('another person’s passkey is refused, and one for another browser’s challenge', async () => {
      await addPerson(gateway, { login: 'bob' });
      gateway.clock.ms += MINUTE;
      const asked = await enter({});
      const options = { second_factor: true };
      const begun = await post('/auth/passkey/options', options, { cookie: cookieOf(asked) });
      const passkey = device.sign(begun.body);
      session = await sessionOf(
        gateway,
        await post('/auth/login', { login: 'bob', password: GOOD_PASSWORD }),
      );
      const bobs = new SoftwareAuthenticator(origin);
      await add('Bob’s', {}, bobs);
      const challenge = begun.body.challenge;
      const ofBob = bobs.sign({ challenge, rpId: 'localhost' });
      expect(outcome(await enter({ passkey: ofBob }, cookieOf(asked)))).toEqual(REFUSED);
      const other = await enter({});
      expect(outcome(await enter({ passkey }, cookieOf(other)))).toEqual(REFUSED);
      expect(outcome(await enter({ passkey })), 'no pending sign-in at all').toEqual(REFUSED);
    });

    it('it is too late after ten minutes, and there is nothing to use without the password', async () => {
      gateway.clock.ms += MINUTE;
      const cookie = cookieOf(await enter({}));
      const options = (who: object) => post('/auth/passkey/options', { second_factor: true }, who);
      expect((await options({ cookie })).status).toBe(200);
      expect((await options({})).status).toBe(401);
      gateway.clock.ms += 10 * MINUTE;
      expect(outcome(await options({ cookie }))).toEqual([
        401,
        'That took too long. Enter your password again.',
      ]);
    });
  });

  describe('alone', () => {
    beforeEach(async () => {
      await add();
    });

    it('a passkey signs in without a name, as two factors', async () => {
      const entered = await enterAlone();
      expect(outcome(entered)).toEqual([200, undefined]);
      const { cookie, csrf } = await sessionOf(gateway, entered);
      const me = (await gateway.request('GET', '/auth/me', { cookie })).body;
      expect([me.principal.id, me.session.source_kind, me.permissions]).toEqual([
        annId,
        'passkey',
        ['fax:send'],
      ]);
      expect(await lastEvent()).toMatchObject({ operation: 'session.begin', credentialKind: 'passkey' });
      const change = { current_password: GOOD_PASSWORD, password: 'nine yellow ducks' };
      expect((await post('/auth/password', change, { cookie, csrf })).status).toBe(200);
    });

    it.each<[string, Faults, string]>([
      ['of another page', { origin: 'https://evil.example' }, 'passkey_signature'],
      ['for another name', { rpId: 'evil.example' }, 'passkey_signature'],
      ['for another challenge', { challenge: 'AAAA' }, 'passkey_signature'],
      ['without finger, face or PIN', { isUnverified: true }, 'passkey_signature'],
      ['with a counter that did not go on', { counter: 1 }, 'passkey_counter'],
      ['in the name of somebody else', { userHandle: 'Ym9i' }, 'passkey_unknown'],
    ])('an answer %s is refused and recorded', async (_what, faults, reason) => {
      expect((await enterAlone()).status).toBe(200);
      expect(outcome(await enterAlone(faults))).toEqual(REFUSED);
      expect(await lastEvent()).toMatchObject({
        operation: 'session.begin',
        outcome: 'refused',
        details: { reason },
      });
    });

    it('an answer works once, in the browser that requested it, for five minutes', async () => {
      const begun = await post('/auth/passkey/options', {});
      const passkey = device.sign(begun.body);
      const other = await post('/auth/passkey/options', {});
      const login = (cookie: string) => post('/auth/passkey/login', { passkey }, { cookie });
      expect(outcome(await login(cookieOf(other)))).toEqual(REFUSED);
      expect((await login(cookieOf(begun))).status).toBe(200);
      expect(outcome(await login(cookieOf(begun)))).toEqual(REFUSED);
      const late = await post('/auth/passkey/options', {});
      gateway.clock.ms += 5 * MINUTE;
      const answer = { passkey: device.sign(late.body) };
      expect(outcome(await post('/auth/passkey/login', answer, { cookie: cookieOf(late) }))).toEqual(REFUSED);
    });

    it('it opens nothing for who is disabled', async () => {
      const client = new AccessClient(gateway);
      const { user } = (await client.get(`/access/users/${annId}`)).body;
      await client.sendOk('PATCH', `/access/users/${annId}`, { enabled: false, version: user.version });
      expect(outcome(await enterAlone())).toEqual(REFUSED);
    });

    it('endless requests for challenges lock out no known browser and no password', async () => {
      const known = (await enterAlone()).cookies[1]?.split(';')[0] ?? '';
      const options = (cookie?: string) =>
        post('/auth/passkey/options', {}, cookie === undefined ? {} : { cookie });
      let statuses = 0;
      while ((await options()).status === 200) statuses += 1;
      expect(statuses).toBe(59);
      expect((await options(known)).status).toBe(200);
      expect((await enterWith()).status).toBe(200);
    });

    it('a guesser with wrong ones keeps no right one out', async () => {
      for (let n = 0; n < 21; n += 1) await enterAlone({ challenge: 'AAAA' });
      const last = await enterAlone({ challenge: 'AAAA' });
      expect(last.status).toBe(429);
      expect((await enterAlone()).status).toBe(200);
    });
  });
});
