import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isoTime } from '../../server/platform/clock.ts';
import { ERRORS } from '../../shared/errors/all.ts';
import { addPerson, GOOD_PASSWORD } from './access-records.ts';
import { INSTALLATION_KEY, sessionOf, signIn, startGateway, type TestGateway } from './access-setup.ts';

let gateway: TestGateway;
const MINUTE = 60_000;

beforeEach(async () => {
  gateway = await startGateway();
});

afterEach(async () => {
  await gateway.stop();
});

interface Visitor {
  cookie: string;
  csrf: string;
  id: string;
}

async function visit(login: string): Promise<Visitor> {
  gateway.clock.ms += 1000;
  const session = await sessionOf(gateway, await signIn(gateway, login, GOOD_PASSWORD));
  const me = await gateway.request('GET', '/auth/me', session);
  return { ...session, id: me.body.session.id };
}

const list = (who: { cookie?: string; key?: string }, query = '') =>
  gateway.request('GET', `/access/sessions${query}`, who);

async function listed(who: { cookie?: string; key?: string }, query = ''): Promise<string[]> {
  const answer = await list(who, query);
  expect(answer.status).toBe(200);
  return answer.body.items.map((one: { session_id: string }) => one.session_id);
}

async function end(who: { cookie?: string; csrf?: string; key?: string }, id: string, version?: number) {
  const me = await gateway.request('GET', '/auth/me', { key: INSTALLATION_KEY });
  const body = { expected_policy_version: version ?? me.body.policy_version };
  return await gateway.request('POST', `/access/sessions/${id}/revoke`, {
    ...who,
    origin: gateway.origin,
    body,
  });
}

describe('the sessions of everybody', () => {
  it('are listed for sessions:read, newest first, with whose they are and from where', async () => {
    const ann = await addPerson(gateway, { login: 'ann' });
    await addPerson(gateway, { login: 'bob', permissions: ['sessions:read'] });
    const old = await visit('ann');
    const bob = await visit('bob');
    const answer = await list(bob);
    expect(answer.body).toEqual({
      items: [
        expect.objectContaining({ session_id: bob.id, current: true }),
        {
          session_id: old.id,
          principal: { id: ann.id, kind: 'user', display_name: 'ann', enabled: true },
          source_kind: 'password',
          device: 'node',
          address: '127.0.0.1',
          created_at: isoTime(gateway.clock.ms - 1000),
          last_used_at: isoTime(gateway.clock.ms - 1000),
          expires_at: isoTime(gateway.clock.ms - 1000 + 12 * 60 * MINUTE),
          revoked_at: null,
          current: false,
        },
      ],
      next_cursor: null,
      policy_version: (await gateway.request('GET', '/auth/me', bob)).body.policy_version,
    });
    expect(await listed(bob, `?principal_id=${ann.id}`)).toEqual([old.id]);
  });

  it('are each one’s own without that', async () => {
    const ann = await addPerson(gateway, { login: 'ann', permissions: ['fax:send'] });
    const bob = await addPerson(gateway, { login: 'bob' });
    const mine = await visit('ann');
    await visit('bob');
    expect(await listed(mine)).toEqual([mine.id]);
    expect(await listed(mine, `?principal_id=${ann.id}`)).toEqual([mine.id]);
    expect((await list(mine, `?principal_id=${bob.id}`)).status).toBe(403);
  });

  it('of a key are those that began with it', async () => {
    const scopes = ['fax:send'];
    const made = await gateway.request('POST', '/admin/api-keys', {
      key: INSTALLATION_KEY,
      body: { scopes },
    });
    const begin = () =>
      gateway.request('POST', '/auth/key-login', {
        origin: gateway.origin,
        body: { api_key: made.body.token },
      });
    const { cookie } = await sessionOf(gateway, await begin());
    const { session } = (await gateway.request('GET', '/auth/me', { cookie })).body;
    expect(await listed({ key: made.body.token })).toEqual([session.id]);
    expect(await listed({ cookie })).toEqual([session.id]);
    const [shown] = (await list({ key: INSTALLATION_KEY })).body.items;
    expect(shown).toMatchObject({ source_kind: 'key', principal: { kind: 'integration' } });
  });

  it('are read page by page', async () => {
    await addPerson(gateway, { login: 'ann' });
    const ids: string[] = [];
    for (let n = 0; n < 4; n += 1) ids.unshift((await visit('ann')).id);
    const key = INSTALLATION_KEY;
    const first = await list({ key }, '?limit=3');
    const second = await list({ key }, `?limit=3&cursor=${first.body.next_cursor}`);
    const seen = [...first.body.items, ...second.body.items].map((one) => one.session_id);
    expect(seen).toEqual(ids);
    expect(second.body.next_cursor).toBeNull();
    expect((await list({ key }, '?cursor=nonsense')).status).toBe(400);
  });

  it('can leave out those that ended, rest too long or are past their time', async () => {
    await addPerson(gateway, { login: 'ann' });
    const key = INSTALLATION_KEY;
    const ended = await visit('ann');
    const resting = await visit('ann');
    const used = await visit('ann');
    await end({ key }, ended.id);
    expect(await listed({ key }, '?live=true')).toEqual([used.id, resting.id]);
    gateway.clock.ms += 29 * MINUTE;
    await gateway.request('GET', '/auth/me', used);
    await gateway.access.stop();
    gateway.clock.ms += MINUTE;
    expect(await listed({ key }, '?live=true')).toEqual([used.id]);
    expect(await listed({ key }, '?live=false')).toEqual([used.id, resting.id, ended.id]);
    for (let waited = 0; waited < 12 * 60; waited += 20) {
      gateway.clock.ms += 20 * MINUTE;
      await gateway.request('GET', '/auth/me', used);
      await gateway.access.stop();
    }
    gateway.settings.sessionIdleMinutes = 24 * 60;
    expect(await listed({ key }, '?live=true')).toEqual([]);
  });
});

describe('a session', () => {
  it('of somebody who may do more is not ended', async () => {
    await addPerson(gateway, { login: 'ann', permissions: ['settings:write'] });
    await addPerson(gateway, { login: 'eve', permissions: ['sessions:revoke'] });
    const ann = await visit('ann');
    const refused = await end(await visit('eve'), ann.id);
    expect([refused.status, refused.body.detail]).toEqual([403, ERRORS.person_holds_more.sentence]);
    expect((await gateway.request('GET', '/auth/me', ann)).status).toBe(200);
  });

  it('of somebody else is ended with sessions:revoke', async () => {
    const ann = await addPerson(gateway, { login: 'ann' });
    await addPerson(gateway, { login: 'bob', permissions: ['sessions:read'] });
    await addPerson(gateway, { login: 'eve', permissions: ['sessions:revoke'] });
    const victim = await visit('ann');
    const looks = await visit('bob');
    const ends = await visit('eve');
    expect((await end(looks, victim.id)).status).toBe(403);
    expect((await end(victim, looks.id)).status).toBe(404);
    const { policy_version } = (await gateway.request('GET', '/auth/me', ends)).body;
    expect((await end(ends, victim.id, policy_version - 1)).status).toBe(409);
    expect((await gateway.request('GET', '/auth/me', victim)).status).toBe(200);
    expect((await end(ends, victim.id)).body).toEqual({
      session_id: victim.id,
      changed: true,
      policy_version: policy_version + 1,
    });
    expect((await gateway.request('GET', '/auth/me', victim)).status).toBe(401);
    expect((await end(ends, victim.id)).body).toMatchObject({
      changed: false,
      policy_version: policy_version + 1,
    });
    const event = (await gateway.events()).find((one) => one.operation === 'session.revoke');
    expect(event).toMatchObject({
      actor: { name: 'eve' },
      target: { kind: 'session', id: victim.id },
      details: { principal_id: ann.id, principal: 'ann' },
    });
  });

  it('of one’s own is ended by anybody', async () => {
    await addPerson(gateway, { login: 'ann' });
    const far = await visit('ann');
    const near = await visit('ann');
    expect((await end(near, far.id)).body.changed).toBe(true);
    expect((await gateway.request('GET', '/auth/me', far)).status).toBe(401);
    expect((await gateway.request('GET', '/auth/me', near)).status).toBe(200);
  });
});
