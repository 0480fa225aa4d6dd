import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dropPostgresDatabase } from '../setup/postgres.ts';
import { newPostgresDatabase, STORES, withoutPostgres } from '../setup/stores.ts';
import { AccessClient } from './access-changes.ts';
import { addPerson, GOOD_PASSWORD } from './access-records.ts';
import { type Answer, INSTALLATION_KEY, sessionOf, startGateway, type TestGateway } from './access-setup.ts';

const MINUTE = 60_000;
const GUESSER = '198.51.100.66';
const OFFICE = '203.0.113.5';

describe.each(STORES)(`a guesser, with %s${withoutPostgres},`, (store) => {
  let gateway: TestGateway;
  let database: string | null;
  let annId: string;

  beforeEach(async () => {
    database = store === 'postgres' ? await newPostgresDatabase() : null;
    gateway = await startGateway({
      settings: { publicApiUrl: 'https://fax.example' },
      ...(database === null ? {} : { postgresUrl: database }),
    });
    annId = (await addPerson(gateway, { login: 'ann', permissions: ['fax:send'] })).id;
  });

  afterEach(async () => {
    await gateway.stop();
    if (database !== null) await dropPostgresDatabase(database);
  });

  const enter = (
    password: string,
    { from = OFFICE, cookie, login = 'ann' }: { from?: string; cookie?: string; login?: string } = {},
  ): Promise<Answer> =>
    gateway.request('POST', '/auth/login', {
      origin: 'https://fax.example',
      from,
      cookie,
      body: { login, password },
    });

  const withKey = (api_key: string, from = OFFICE) =>
    gateway.request('POST', '/auth/key-login', { origin: 'https://fax.example', from, body: { api_key } });

  /** Guesses until there are no tries left from there. */
  async function guess(from: string, about: { cookie?: string; login?: string } = {}): Promise<number> {
    for (let tries = 0; tries < 100; tries += 1)
      if ((await enter(`wrong ${tries}`, { from, ...about })).status === 429) return tries;
    throw new Error('a hundred tries were let through');
  }

  const browserOf = ({ cookies }: Answer) => cookies[1]?.split(';')[0] ?? '';

  it('cannot keep a person out who comes from another address', async () => {
    expect(await guess(GUESSER)).toBe(5);
    expect((await enter(GOOD_PASSWORD)).status).toBe(200);
    expect((await enter(GOOD_PASSWORD, { from: GUESSER })).status).toBe(429);
  });

  it('is one guesser with all the addresses of an IPv6 network', async () => {
    const of = (n: number) => `2001:db8:0:1::${n.toString(16)}`;
    for (let n = 1; n <= 5; n += 1) expect((await enter('wrong', { from: of(n) })).status).toBe(401);
    expect((await enter('wrong', { from: of(6) })).status).toBe(429);
    for (let n = 1; n <= 20; n += 1) await enter('wrong', { from: of(n), login: `name${n}` });
    expect((await enter('wrong', { from: of(99), login: 'another' })).status).toBe(429);
    expect((await enter(GOOD_PASSWORD, { from: '2001:db8:0:2::1' })).status).toBe(200);
  });

  it('cannot keep a person out of a known browser, not even at the same address', async () => {
    const cookie = browserOf(await enter(GOOD_PASSWORD));
    await guess(OFFICE);
    for (let n = 0; n < 20; n += 1) await enter('wrong', { login: `name${n}` });
    expect((await enter(GOOD_PASSWORD)).status).toBe(429);
    const back = await enter(GOOD_PASSWORD, { cookie });
    expect(back.status).toBe(200);
    expect((await enter(GOOD_PASSWORD, { cookie: browserOf(back) })).status).toBe(200);
  });

  it('has 75 tries at a name with any number of addresses, which do not count in a known browser', async () => {
    const cookie = browserOf(await enter(GOOD_PASSWORD));
    const before = gateway.verifications();
    for (let n = 1; n <= 20; n += 1) await guess(`198.51.100.${n}`);
    expect(gateway.verifications() - before).toBe(74);
    expect((await enter(GOOD_PASSWORD)).status).toBe(429);
    expect((await enter(GOOD_PASSWORD, { cookie })).status).toBe(200);
    gateway.clock.ms += 12_000;
    expect((await enter(GOOD_PASSWORD, { from: '192.0.2.1' })).status).toBe(200);
  });

  it('gets nothing from a known browser of someone else, or from an unknown one', async () => {
    await addPerson(gateway, { login: 'bob' });
    const cookie = browserOf(await enter(GOOD_PASSWORD, { login: 'bob' }));
    await guess(OFFICE);
    expect((await enter(GOOD_PASSWORD, { cookie })).status).toBe(429);
    const [name] = cookie.split('=');
    for (const token of ['x'.repeat(43), '', "' or 1=1 --"])
      expect((await enter(GOOD_PASSWORD, { cookie: `${name}=${token}` })).status).toBe(429);
  });

  it('uses up a stolen browser cookie alone', async () => {
    const cookie = browserOf(await enter(GOOD_PASSWORD));
    expect(await guess(GUESSER, { cookie })).toBe(5);
    expect((await enter(GOOD_PASSWORD, { from: GUESSER })).status).toBe(200);
  });

  it('with wrong keys keeps out no right key, no other kind of key and no password', async () => {
    const made = await gateway.request('POST', '/admin/api-keys', {
      key: INSTALLATION_KEY,
      body: { scopes: ['fax:send'] },
    });
    const { token } = made.body;
    const wrong = (n: number) => `${token.slice(0, -3)}${100 + n}`;
    for (let n = 0; n < 20; n += 1) expect((await withKey(`nonsense ${n}`)).status).toBe(401);
    expect((await withKey('nonsense')).status).toBe(429);
    expect((await withKey(wrong(0))).status, 'of the form of a key').toBe(401);
    for (let n = 1; n < 20; n += 1) await withKey(wrong(n));
    expect((await withKey(wrong(20))).status).toBe(429);
    expect((await withKey(INSTALLATION_KEY)).status).toBe(200);
    expect((await withKey(token)).status).toBe(200);
    expect((await enter(GOOD_PASSWORD)).status).toBe(200);
  });

  it('does not stop who is signed in from changing their password', async () => {
    const { cookie, csrf } = await sessionOf(gateway, await enter(GOOD_PASSWORD));
    await guess(OFFICE);
    for (let n = 0; n < 20; n += 1) await enter('wrong', { login: `name${n}` });
    const body = { current_password: GOOD_PASSWORD, password: 'nine yellow ducks' };
    const changed = await gateway.request('POST', '/auth/password', {
      cookie,
      csrf,
      origin: 'https://fax.example',
      body,
    });
    expect(changed.status).toBe(200);
  });

  // The same queries as above.
  describe.runIf(store === 'sqlite')('a known browser', () => {
    const rows = () => gateway.db.read.selectFrom('known_browser').selectAll().execute();
    /** Returns true when the browser has tries of its own after all others are used up. */
    const isKnown = async (cookie: string) => {
      await guess(OFFICE);
      return (await enter('wrong', { cookie })).status === 401;
    };

    it('has a random cookie for it alone, of which only a hash is stored, and a new one each time', async () => {
      const first = await enter(GOOD_PASSWORD);
      expect(first.cookies[1]).toMatch(
        /^__Host-faxdesk_browser=[\w-]{43}; Max-Age=15552000; Path=\/; HttpOnly; Secure; SameSite=Strict$/u,
      );
      const cookie = browserOf(first);
      const second = await enter(GOOD_PASSWORD, { cookie });
      expect(browserOf(second)).not.toBe(cookie);
      expect(await rows()).toHaveLength(1);
      expect(JSON.stringify(await rows())).not.toContain(browserOf(second).split('=')[1]);
      expect(await isKnown(cookie), 'the one before').toBe(false);
      expect(await isKnown(browserOf(second))).toBe(true);
    });

    it('is one for all who sign in there', async () => {
      await addPerson(gateway, { login: 'bob' });
      const ofAnn = browserOf(await enter(GOOD_PASSWORD));
      const ofBoth = browserOf(await enter(GOOD_PASSWORD, { login: 'bob', cookie: ofAnn }));
      await guess(OFFICE);
      await guess(OFFICE, { login: 'bob' });
      expect((await enter('wrong', { cookie: ofBoth })).status).toBe(401);
      expect((await enter('wrong', { cookie: ofBoth, login: 'bob' })).status).toBe(401);
    });

    it('signs nobody in', async () => {
      const cookie = browserOf(await enter(GOOD_PASSWORD));
      expect((await gateway.request('GET', '/auth/me', { cookie })).status).toBe(401);
      expect((await enter('wrong', { cookie })).status).toBe(401);
    });

    it('is forgotten when the password changes', async () => {
      const entered = await enter(GOOD_PASSWORD);
      const { cookie, csrf } = await sessionOf(gateway, entered);
      const body = { current_password: GOOD_PASSWORD, password: 'nine yellow ducks' };
      await gateway.request('POST', '/auth/password', { cookie, csrf, origin: 'https://fax.example', body });
      expect(await isKnown(browserOf(entered))).toBe(false);
    });

    it('is forgotten when the person is disabled', async () => {
      const entered = await enter(GOOD_PASSWORD);
      const client = new AccessClient(gateway);
      const { user } = await client.get(`/access/users/${annId}`).then(({ body }) => body);
      const change = async (enabled: boolean, version: number) =>
        (await client.send('PATCH', `/access/users/${annId}`, { enabled, version })).body.user.version;
      await change(true, await change(false, user.version));
      expect(await isKnown(browserOf(entered))).toBe(false);
    });

    it('is forgotten when its session is ended from the list, and not when somebody signs out', async () => {
      const entered = await enter(GOOD_PASSWORD);
      const { cookie, csrf } = await sessionOf(gateway, entered);
      await gateway.request('POST', '/auth/logout', {
        cookie,
        csrf,
        origin: 'https://fax.example',
        body: {},
      });
      expect(await rows()).toHaveLength(1);
      const again = await enter(GOOD_PASSWORD, { cookie: browserOf(entered) });
      const other = await sessionOf(gateway, await enter(GOOD_PASSWORD, { from: '203.0.113.9' }));
      const me = (await gateway.request('GET', '/auth/me', { cookie: other.cookie })).body;
      const { items } = (await gateway.request('GET', '/auth/sessions', { cookie: other.cookie })).body;
      const open = items.find((item: { revoked_at: string | null; current: boolean }) => !item.current);
      const ended = await gateway.request('POST', `/auth/sessions/${open.session_id}/revoke`, {
        ...other,
        origin: 'https://fax.example',
        body: { expected_policy_version: me.policy_version },
      });
      expect(ended.status).toBe(200);
      expect(await isKnown(browserOf(again))).toBe(false);
    });

    it('is forgotten after half a year, and when twenty others came after it', async () => {
      const oldest = browserOf(await enter(GOOD_PASSWORD));
      for (let n = 1; n <= 20; n += 1) {
        gateway.clock.ms += MINUTE;
        expect((await enter(GOOD_PASSWORD, { from: `192.0.2.${n}` })).status).toBe(200);
      }
      expect(await rows()).toHaveLength(20);
      expect(await isKnown(oldest)).toBe(false);
      gateway.clock.ms += MINUTE * 60;
      const newest = browserOf(await enter(GOOD_PASSWORD));
      gateway.clock.ms += 180 * 24 * 60 * MINUTE;
      expect(await isKnown(newest)).toBe(false);
    });
  });
});
