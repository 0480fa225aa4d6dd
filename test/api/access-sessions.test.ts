import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addPerson, changeFromOutside, GOOD_PASSWORD } from './access-records.ts';
import {
  cookieOf,
  INSTALLATION_KEY,
  sessionOf,
  signIn,
  startGateway,
  type TestGateway,
} from './access-setup.ts';

let gateway: TestGateway;
const MINUTE = 60_000;

beforeEach(async () => {
  gateway = await startGateway();
});

afterEach(async () => {
  await gateway.stop();
});

const keyLogin = (api_key: string, origin: string | null = gateway.origin) =>
  gateway.request('POST', '/auth/key-login', { origin, body: { api_key } });

describe('sign-in', () => {
  it('sets a strict cookie that scripts cannot read, named after the connection', async () => {
    gateway.settings.publicApiUrl = 'https://fax.example.org/gateway';
    gateway.settings.allowedOrigins = ['http://fax.lan:8080'];
    await addPerson(gateway, { login: 'ann', permissions: ['fax:send'] });
    const near = await signIn(gateway, 'Ann', GOOD_PASSWORD);
    expect(near.body).toEqual({ ok: true, password_change_required: false });
    expect(near.cookies).toEqual([
      expect.stringMatching(
        /^faxdesk_local_session=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/u,
      ),
      expect.stringMatching(
        /^faxdesk_local_browser=[\w-]{43}; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Strict$/u,
      ),
    ]);
    const body = { login: 'ann', password: GOOD_PASSWORD };
    const far = await gateway.request('POST', '/auth/login', { origin: 'https://fax.example.org', body });
    expect(far.cookies[0]).toMatch(
      /^__Host-faxdesk_session=[\w-]{43}; .*Path=\/; HttpOnly; Secure; SameSite=Strict$/u,
    );
    const plain = () => gateway.request('POST', '/auth/login', { origin: 'http://fax.lan:8080', body });
    expect((await plain()).status).toBe(403);
    gateway.settings.allowInsecureHttpSessions = true;
    const allowed = await plain();
    expect(allowed.cookies[0]).toMatch(/^faxdesk_session=/u);
    expect(allowed.cookies[0]).not.toContain('Secure');
    const cookie = cookieOf(allowed);
    expect((await gateway.request('GET', '/auth/me', { cookie })).status).toBe(200);
    gateway.settings.allowInsecureHttpSessions = false;
    expect((await gateway.request('GET', '/auth/me', { cookie })).status).toBe(401);
  });

  it('needs one of the gateway’s own origins, exactly', async () => {
    await addPerson(gateway, { login: 'ann' });
    const body = { login: 'ann', password: GOOD_PASSWORD };
    const from = async (origin: string | null) =>
      (await gateway.request('POST', '/auth/login', { origin, body })).status;
    expect(await from(null)).toBe(403);
    expect(await from('null')).toBe(403);
    expect(await from('https://evil.example')).toBe(403);
    expect(await from(`http://127.0.0.1:${gateway.port + 1}`)).toBe(403);
    expect(await from(`${gateway.origin}.evil.example`)).toBe(403);
    expect(await from(`http://localhost:${gateway.port}`)).toBe(200);
    expect((await keyLogin(INSTALLATION_KEY, null)).status).toBe(403);
  });

  it('answers an unknown name, a disabled person and a wrong password alike, after the same work', async () => {
    await addPerson(gateway, { login: 'ann' });
    const gone = await addPerson(gateway, { login: 'gone' });
    await changeFromOutside(gateway, (tx) =>
      tx.updateTable('principal').set({ enabled: 0 }).where('id', '=', gone.id).execute(),
    );
    const bodies = [];
    for (const [login, password] of [
      ['ann', 'wrong'],
      ['nobody', GOOD_PASSWORD],
      ['gone', GOOD_PASSWORD],
    ] as const) {
      const before = gateway.verifications();
      const answer = await signIn(gateway, login, password);
      expect(gateway.verifications() - before).toBe(1);
      bodies.push([answer.status, answer.body, answer.cookies]);
    }
    const alike = [401, { detail: 'The sign-in name or password is not correct.' }, []];
    expect(bodies).toEqual([alike, alike, alike]);
    const refused = (await gateway.events()).filter((event) => event.outcome === 'refused');
    expect(refused).toHaveLength(3);
    expect(JSON.stringify(refused)).not.toContain('nobody');
  });

  it('allows five attempts at once for a name and one more every 12 seconds, also after a restart', async () => {
    await addPerson(gateway, { login: 'ann' });
    for (let i = 0; i < 5; i += 1) expect((await signIn(gateway, 'ann', 'wrong')).status).toBe(401);
    const verified = gateway.verifications();
    const sixth = await signIn(gateway, 'ANN', GOOD_PASSWORD);
    expect(sixth.status).toBe(429);
    expect(sixth.headers.get('retry-after')).toBe('12');
    expect(gateway.verifications()).toBe(verified);
    const again = await startGateway({ beside: gateway });
    try {
      expect((await signIn(again, 'ann', GOOD_PASSWORD)).status).toBe(429);
      gateway.clock.ms += 12_000;
      expect((await signIn(again, 'ann', GOOD_PASSWORD)).status).toBe(200);
      expect((await signIn(again, 'ann', GOOD_PASSWORD)).status).toBe(429);
    } finally {
      await again.stop();
    }
  });

  it('allows twenty attempts of an address in 15 minutes', async () => {
    for (let i = 0; i < 20; i += 1) expect((await signIn(gateway, `name${i}`, 'wrong')).status).toBe(401);
    const more = await signIn(gateway, 'another', 'wrong');
    expect(more.status).toBe(429);
    expect(more.headers.get('retry-after')).toBe('45');
    expect((await keyLogin(INSTALLATION_KEY)).status, 'counted apart').toBe(200);
    gateway.clock.ms += 15 * MINUTE;
    expect((await signIn(gateway, 'another', 'wrong')).status).toBe(401);
    const rows = await gateway.db.read.selectFrom('sign_in_limit').select('key').execute();
    expect(rows, 'buckets that are full again have no row').toHaveLength(3);
  });
});

describe('a session', () => {
  it('needs its CSRF token for changes, and a key in the header wins over it', async () => {
    await addPerson(gateway, { login: 'ann', permissions: ['fax:send'] });
    const { cookie, csrf } = await sessionOf(gateway, await signIn(gateway, 'ann', GOOD_PASSWORD));
    const send = async (ask: object) => (await gateway.request('POST', '/send', { cookie, ...ask })).status;
    expect(await send({})).toBe(403);
    expect(await send({ csrf: 'wrong' })).toBe(403);
    expect(await send({ csrf })).toBe(200);
    expect(await send({ csrf, origin: gateway.origin })).toBe(200);
    expect(await send({ csrf, origin: 'https://evil.example' })).toBe(403);
    expect(await send({ csrf, key: 'nonsense' })).toBe(401);
    expect(await send({ key: INSTALLATION_KEY })).toBe(200);
  });

  it('ends after 30 idle minutes, and after 12 hours however busy', async () => {
    await addPerson(gateway, { login: 'ann' });
    const { cookie } = await sessionOf(gateway, await signIn(gateway, 'ann', GOOD_PASSWORD));
    const began = gateway.clock.ms;
    const me = async () => (await gateway.request('GET', '/auth/me', { cookie })).status;
    while (gateway.clock.ms + 29 * MINUTE < began + 12 * 60 * MINUTE) {
      gateway.clock.ms += 29 * MINUTE;
      expect(await me()).toBe(200);
      await gateway.access.stop();
    }
    gateway.clock.ms = began + 12 * 60 * MINUTE;
    expect(await me()).toBe(401);
    gateway.settings.sessionIdleMinutes = 5;
    const next = cookieOf(await signIn(gateway, 'ann', GOOD_PASSWORD));
    gateway.clock.ms += 5 * MINUTE;
    expect((await gateway.request('GET', '/auth/me', { cookie: next })).status).toBe(401);
  });

  it('is not idle here while another process sees its person', async () => {
    await addPerson(gateway, { login: 'ann' });
    const { cookie } = await sessionOf(gateway, await signIn(gateway, 'ann', GOOD_PASSWORD));
    const other = await startGateway({ beside: gateway });
    try {
      gateway.clock.ms += 20 * MINUTE;
      expect((await other.request('GET', '/auth/me', { cookie })).status).toBe(200);
      await other.access.stop();
      gateway.clock.ms += 20 * MINUTE;
      expect((await gateway.request('GET', '/auth/me', { cookie })).status).toBe(200);
    } finally {
      await other.stop();
    }
  });

  it('of a key may do what the key may and ends with the key', async () => {
    const make = async (body: object) =>
      (await gateway.request('POST', '/admin/api-keys', { key: INSTALLATION_KEY, body })).body;
    const short = await make({ expires_at: new Date(gateway.clock.ms + 10 * MINUTE).toISOString() });
    const soon = await keyLogin(short.token);
    expect(soon.cookies[0]).toContain('Max-Age=600;');
    const key = await make({ scopes: ['fax:send'] });
    for (const end of ['rotate', 'revoke'] as const) {
      const token = end === 'rotate' ? key.token : (await make({})).token;
      const { cookie } = await sessionOf(gateway, await keyLogin(token));
      const me = await gateway.request('GET', '/auth/me', { cookie });
      expect(me.body).toMatchObject({ source: 'session', session: { source_kind: 'key' } });
      const id = token.split('_')[2];
      const ending = end === 'rotate' ? (['POST', '/rotate'] as const) : (['DELETE', ''] as const);
      await gateway.request(ending[0], `/admin/api-keys/${id}${ending[1]}`, { key: INSTALLATION_KEY });
      expect((await gateway.request('GET', '/auth/me', { cookie })).status).toBe(401);
    }
    const cookie = cookieOf(soon);
    gateway.clock.ms += 10 * MINUTE;
    expect((await gateway.request('GET', '/auth/me', { cookie })).status).toBe(401);
  });

  it('of the installation key ends when the gateway starts again', async () => {
    const { cookie } = await sessionOf(gateway, await keyLogin(INSTALLATION_KEY));
    const me = await gateway.request('GET', '/auth/me', { cookie });
    expect(me.body).toMatchObject({
      principal: { kind: 'bootstrap' },
      session: { source_kind: 'bootstrap' },
    });
    await gateway.access.start();
    expect((await gateway.request('GET', '/auth/me', { cookie })).status).toBe(401);
  });

  it('ends at the sign-out, which clears the cookies', async () => {
    await addPerson(gateway, { login: 'ann' });
    const { cookie, csrf } = await sessionOf(gateway, await signIn(gateway, 'ann', GOOD_PASSWORD));
    const out = await gateway.request('POST', '/auth/logout', { cookie, csrf });
    expect(out.body).toEqual({ ok: true });
    expect(out.cookies).toHaveLength(3);
    for (const cleared of out.cookies) expect(cleared).toContain('Max-Age=0;');
    expect((await gateway.request('GET', '/auth/me', { cookie })).status).toBe(401);
    expect((await gateway.request('POST', '/auth/logout', { key: INSTALLATION_KEY })).status).toBe(403);
  });

  it('ends with its person', async () => {
    const ann = await addPerson(gateway, { login: 'ann' });
    const { cookie } = await sessionOf(gateway, await signIn(gateway, 'ann', GOOD_PASSWORD));
    await changeFromOutside(gateway, (tx) =>
      tx.updateTable('principal').set({ enabled: 0 }).where('id', '=', ann.id).execute(),
    );
    expect((await gateway.request('GET', '/auth/me', { cookie })).status).toBe(401);
  });
});

describe('the list of sessions', () => {
  it('comes in pages, newest first', async () => {
    await addPerson(gateway, { login: 'ann' });
    for (let i = 0; i < 5; i += 1) {
      await signIn(gateway, 'ann', GOOD_PASSWORD);
      gateway.clock.ms += 12_000;
    }
    const { cookie } = await sessionOf(gateway, await signIn(gateway, 'ann', GOOD_PASSWORD));
    const seen: string[] = [];
    let query = '?limit=4';
    for (let pages = 0; pages < 3 && query; pages += 1) {
      const { body } = await gateway.request('GET', `/auth/sessions${query}`, { cookie });
      for (const item of body.items) seen.push(item.created_at);
      const next = body.next_cursor;
      query = next ? `?limit=4&cursor_time=${next.created_at}&cursor_id=${next.session_id}` : '';
    }
    expect(seen).toHaveLength(6);
    expect([...new Set(seen)].sort().reverse()).toEqual(seen);
    const first = await gateway.request('GET', '/auth/sessions?limit=1', { cookie });
    expect(first.body.items[0]).toMatchObject({ current: true, source_kind: 'password', revoked_at: null });
    expect((await gateway.request('GET', '/auth/sessions?cursor_id=x', { cookie })).status).toBe(400);
    expect((await gateway.request('GET', '/auth/sessions?limit=101', { cookie })).status).toBe(400);
  });

  it('shows and ends sessions of others only with the permissions for it', async () => {
    const ann = await addPerson(gateway, { login: 'ann' });
    await addPerson(gateway, { login: 'ben' });
    await addPerson(gateway, { login: 'eve', permissions: ['sessions:read'] });
    await addPerson(gateway, { login: 'max', permissions: ['sessions:read', 'sessions:revoke'] });
    const of = async (login: string) => await sessionOf(gateway, await signIn(gateway, login, GOOD_PASSWORD));
    const [annSession, ben, eve, max] = [await of('ann'), await of('ben'), await of('eve'), await of('max')];
    const path = `/auth/sessions?principal_id=${ann.id}`;
    expect((await gateway.request('GET', path, { cookie: ben.cookie })).status).toBe(403);
    const listed = await gateway.request('GET', path, { cookie: eve.cookie });
    const id = listed.body.items[0].session_id;
    const version = (await gateway.request('GET', '/auth/me', { cookie: max.cookie })).body.policy_version;
    const revoke = (who: object, expected: number, session = id) =>
      gateway.request('POST', `/auth/sessions/${session}/revoke`, {
        ...who,
        body: { expected_policy_version: expected },
      });
    expect((await revoke(ben, version)).status).toBe(404);
    expect((await revoke(ben, version, 'unknown')).status).toBe(404);
    expect((await revoke(eve, version)).status).toBe(403);
    expect((await revoke(max, version + 1)).status).toBe(409);
    expect((await gateway.request('GET', '/auth/me', { cookie: annSession.cookie })).status).toBe(200);
    const done = await revoke(max, version);
    expect(done.body).toEqual({ session_id: id, changed: true, policy_version: version + 1 });
    expect((await gateway.request('GET', '/auth/me', { cookie: annSession.cookie })).status).toBe(401);
    expect((await revoke(max, version + 1)).body).toMatchObject({
      changed: false,
      policy_version: version + 1,
    });
  });

  it('lets a key end only the sessions that began with it', async () => {
    const body = { scopes: ['fax:send'] };
    const made = (await gateway.request('POST', '/admin/api-keys', { key: INSTALLATION_KEY, body })).body;
    await keyLogin(made.token);
    const own = await gateway.request('GET', '/auth/sessions', { key: made.token });
    expect(own.body.items).toHaveLength(1);
    expect(own.body.items[0].current).toBe(false);
  });
});
