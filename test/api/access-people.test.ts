import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isoTime } from '../../server/platform/clock.ts';
import { newId } from '../../server/platform/ids.ts';
import { addPerson, assign, changeFromOutside, GOOD_PASSWORD } from './access-records.ts';
import {
  type Answer,
  INSTALLATION_KEY,
  sessionOf,
  signIn,
  startGateway,
  type TestGateway,
} from './access-setup.ts';

let gateway: TestGateway;

beforeEach(async () => {
  gateway = await startGateway();
});

afterEach(async () => {
  await gateway.stop();
});

const get = (path: string, key = INSTALLATION_KEY) => gateway.request('GET', path, { key });
const policyVersion = async (): Promise<number> => (await get('/auth/me')).body.policy_version;

/** Sends a change with the policy version of now. */
async function post(path: string, body: object, key = INSTALLATION_KEY): Promise<Answer> {
  const expected_policy_version = await policyVersion();
  return await gateway.request('POST', path, { key, body: { expected_policy_version, ...body } });
}

async function names(path: string): Promise<string[]> {
  const answer = await get(path);
  expect(answer.status).toBe(200);
  return answer.body.items.map((item: { display_name: string }) => item.display_name);
}

const integration = (display_name: string, enabled = true) =>
  post('/access/integrations', { display_name, enabled });

it('takes no name with characters that nobody sees', async () => {
  const refused = await integration('Lab \u202eaid');
  expect(refused.status).toBe(400);
  expect(JSON.stringify(refused.body)).toContain('must have no control or invisible characters');
  expect(await names('/access/integrations')).toEqual([]);
});

describe('a new person', () => {
  it('has a temporary password that opens nothing but the way to one of their own', async () => {
    const before = await policyVersion();
    const made = await post('/access/users', { login: 'Ann.Lee@Example.org', display_name: ' Ann Lee ' });
    expect(made.status).toBe(200);
    const at = isoTime(gateway.clock.ms);
    const user = {
      id: expect.any(String),
      kind: 'user',
      login: 'ann.lee@example.org',
      display_name: 'Ann Lee',
      enabled: true,
      password_change_required: true,
      two_factor: false,
      quick_sign_in: false,
      last_seen_at: null,
      version: 1,
      created_at: at,
      updated_at: at,
    };
    const { temporary_password } = made.body;
    expect(made.body).toEqual({ user, temporary_password, policy_version: before + 1 });
    expect((await get(`/access/users/${made.body.user.id}`)).body.user).toEqual(user);
    const begun = await signIn(gateway, 'ann.lee@example.org', temporary_password);
    expect(begun.body).toEqual({ ok: true, password_change_required: true });
    const { cookie } = await sessionOf(gateway, begun);
    const me = await gateway.request('GET', '/auth/me', { cookie });
    expect(me.body).toMatchObject({ permissions: [], grantable: { installation: [] } });
    const event = (await gateway.events()).find((one) => one.operation === 'user.create');
    expect(event).toMatchObject({
      actor: { id: 'bootstrap' },
      target: { kind: 'principal', id: made.body.user.id },
      policyVersion: before + 1,
      details: { login: 'ann.lee@example.org', display_name: 'Ann Lee', enabled: true },
    });
    expect(JSON.stringify(await gateway.events())).not.toContain(temporary_password);
  });

  it('cannot have a sign-in name that is taken in any case, nor one that is none', async () => {
    await addPerson(gateway, { login: 'ann' });
    const taken = await post('/access/users', { login: 'ANN', display_name: 'Another Ann' });
    expect([taken.status, taken.body]).toEqual([409, { detail: 'That sign-in name is taken.' }]);
    for (const body of [
      { login: 'a b' },
      { login: '' },
      { login: 'bob', display_name: ' ' },
      { login: 'bob', x: 1 },
    ])
      expect([body, (await post('/access/users', { display_name: 'Bob', ...body })).status]).toEqual([
        body,
        400,
      ]);
    expect(await names('/access/users')).toEqual(['ann']);
  });

  it('is not made with a stale policy version, nor by whoever may only look', async () => {
    const body = { login: 'ann', display_name: 'Ann', expected_policy_version: (await policyVersion()) - 1 };
    const stale = await gateway.request('POST', '/access/users', { key: INSTALLATION_KEY, body });
    expect(stale.status).toBe(409);
    const looks = await gateway.request('POST', '/admin/api-keys', {
      key: INSTALLATION_KEY,
      body: { scopes: ['users:read'] },
    });
    const refused = await post('/access/users', { login: 'ann', display_name: 'Ann' }, looks.body.token);
    expect(refused.status).toBe(403);
    expect(await names('/access/users')).toEqual([]);
  });
});

describe('the list of people', () => {
  it('is in the order of their names, page by page, without the installation key', async () => {
    for (const name of ['Cem', 'Ada', 'Ben', 'Ada']) await integration(name);
    expect(await names('/access/users')).toEqual([]);
    const seen: { id: string; display_name: string }[] = [];
    let cursor = '';
    do {
      const page = await get(`/access/users?kind=all&limit=3${cursor}`);
      expect(page.body.policy_version).toBe(await policyVersion());
      seen.push(...page.body.items);
      cursor = page.body.next_cursor === null ? '' : `&cursor=${page.body.next_cursor}`;
    } while (cursor !== '');
    expect(seen.map((person) => person.display_name)).toEqual(['Ada', 'Ada', 'Ben', 'Cem']);
    expect(new Set(seen.map((person) => person.id)).size).toBe(4);
    expect((await get('/access/integrations?cursor=nonsense')).status).toBe(400);
  });

  it('finds part of a name or login in any case, and takes no sign for more than itself', async () => {
    await addPerson(gateway, { login: 'mara.o' });
    for (const name of ['Jörg Ängström', '100% Lab', '100x Lab', 'back\\slash', 'snake_case'])
      await integration(name);
    const found = (q: string, more = '&kind=all') => names(`/access/users?q=${encodeURIComponent(q)}${more}`);
    expect(await found('ÄNGS')).toEqual(['Jörg Ängström']);
    expect(await found('MARA.')).toEqual(['mara.o']);
    expect(await found('0%')).toEqual(['100% Lab']);
    expect(await found('e_c')).toEqual(['snake_case']);
    expect(await found('k_s')).toEqual([]);
    expect(await found('k\\s')).toEqual(['back\\slash']);
    expect(await found('mara', '')).toEqual(['mara.o']);
    expect(await found('mara', '&kind=integration')).toEqual([]);
    expect(await names('/access/integrations?q=lab')).toEqual(['100% Lab', '100x Lab']);
  });

  it('can leave out who is disabled', async () => {
    await integration('On');
    await integration('Off', false);
    expect(await names('/access/integrations?enabled=true')).toEqual(['On']);
    expect(await names('/access/integrations?enabled=false')).toEqual(['Off']);
    expect(await names('/access/integrations')).toEqual(['Off', 'On']);
  });

  it('says when somebody was last seen, by session or key', async () => {
    const ann = await addPerson(gateway, { login: 'ann' });
    const at = isoTime(gateway.clock.ms);
    await signIn(gateway, 'ann', GOOD_PASSWORD);
    const made = await gateway.request('POST', '/admin/api-keys', {
      key: INSTALLATION_KEY,
      body: { name: 'Scanner' },
    });
    gateway.clock.ms += 90_000;
    await get('/auth/me', made.body.token);
    await gateway.access.stop();
    const page = await get('/access/users?kind=all');
    const last = new Map(
      page.body.items.map((one: { display_name: string; last_seen_at: string }) => [
        one.display_name,
        one.last_seen_at,
      ]),
    );
    expect(last.get('ann')).toBe(at);
    expect(last.get('API key: Scanner')).toBe(isoTime(gateway.clock.ms));
    expect((await get(`/access/users/${ann.id}`)).body.user.last_seen_at).toBe(at);
  });
});

describe('the details of a person', () => {
  it('say what they may do where, by which assignment, role and group', async () => {
    const ann = await addPerson(gateway, { login: 'ann', permissions: ['fax:send', 'keys:manage'] });
    const at = isoTime(gateway.clock.ms);
    const stamps = { version: 1, created_at: at, updated_at: at };
    const on = { enabled: 1, description: '', ...stamps } as const;
    const membership = newId();
    await changeFromOutside(gateway, async (tx) => {
      await tx
        .insertInto('mailbox')
        .values({ id: 'lab', label: 'Laboratory', enabled: 1, ...stamps })
        .execute();
      const groups = [
        { id: 'desk', name: 'Front desk', ...on },
        { id: 'night', name: 'Night shift', ...on, enabled: 0 } as const,
      ];
      for (const group of groups) await tx.insertInto('principal_group').values(group).execute();
      const member = { principal_id: ann.id, version: 1, created_at: at };
      await tx
        .insertInto('group_member')
        .values({ id: membership, group_id: 'desk', ...member })
        .execute();
      await tx
        .insertInto('group_member')
        .values({ id: newId(), group_id: 'night', ...member })
        .execute();
      await assign(tx, { kind: 'group', id: 'desk' }, 'role_fax_viewer', 'installation', at);
      await assign(tx, { kind: 'group', id: 'night' }, 'role_owner', 'installation', at);
      await assign(tx, { kind: 'principal', id: ann.id }, ann.roleId, 'mailbox:lab', at);
      await assign(tx, { kind: 'principal', id: ann.id }, 'role_fax_viewer', 'inbound:fax-in-one', at);
    });
    const { body } = await get(`/access/users/${ann.id}`);
    expect(body.policy_version).toBe(await policyVersion());
    expect(body.groups).toEqual([
      {
        membership_id: membership,
        membership_version: 1,
        group: { id: 'desk', name: 'Front desk', enabled: true, version: 1 },
      },
      expect.objectContaining({ group: { id: 'night', name: 'Night shift', enabled: false, version: 1 } }),
    ]);
    const effective: { permission: string; resource: { id: string; name: string }; sources: object[] }[] =
      body.effective;
    const where = (permission: string) =>
      effective.filter((one) => one.permission === permission).map((one) => one.resource.name);
    expect(where('fax:send')).toEqual(['Everything', 'Laboratory']);
    expect(where('fax:read')).toEqual(['Everything', 'Fax of 5 Oct 2026 from +1 202 555 0199']);
    // On a mailbox it opens nothing; by the disabled group they hold nothing.
    expect(where('keys:manage')).toEqual(['Everything']);
    expect(where('host:terminal')).toEqual([]);
    const own = { id: ann.roleId, name: 'role of ann' };
    const viewer = { id: 'role_fax_viewer', name: 'Fax Viewer' };
    const id = expect.any(String);
    expect(effective[0]).toEqual({
      permission: 'fax:send',
      resource: { id: 'installation', kind: 'installation', name: 'Everything' },
      sources: [{ assignment_id: id, role: own, group: null }],
    });
    expect(effective.find((one) => one.permission === 'fax:read')?.sources).toEqual([
      { assignment_id: id, role: viewer, group: { id: 'desk', name: 'Front desk' } },
    ]);
  });

  it('name every source of a permission, and none of somebody disabled', async () => {
    const ann = await addPerson(gateway, { login: 'ann', permissions: ['fax:send'] });
    const at = isoTime(gateway.clock.ms);
    const set = (enabled: 0 | 1) =>
      changeFromOutside(gateway, (tx) =>
        tx.updateTable('principal').set({ enabled }).where('id', '=', ann.id).execute(),
      );
    await changeFromOutside(gateway, (tx) =>
      assign(tx, { kind: 'principal', id: ann.id }, 'role_fax_operator', 'installation', at),
    );
    const roles = async () => {
      const { body } = await get(`/access/users/${ann.id}`);
      const sends = body.effective.find((one: { permission: string }) => one.permission === 'fax:send');
      return sends?.sources.map((source: { role: { name: string } }) => source.role.name);
    };
    expect(await roles()).toEqual(['Fax Operator', 'role of ann']);
    await set(0);
    expect((await get(`/access/users/${ann.id}`)).body.effective).toEqual([]);
  });

  it('are not there for the installation key or an unknown id', async () => {
    for (const id of ['bootstrap', 'nobody']) {
      const answer = await get(`/access/users/${id}`);
      expect([answer.status, answer.body]).toEqual([
        404,
        { detail: 'There is no such person or integration.' },
      ]);
    }
  });
});

describe('the caller’s own facts', () => {
  it.each(['grants:manage', 'keys:manage', 'groups:manage', 'roles:manage'])(
    'lists as grantable what they hold while they hold %s',
    async (permission) => {
      const scopes = ['fax:send', permission];
      const made = await gateway.request('POST', '/admin/api-keys', {
        key: INSTALLATION_KEY,
        body: { scopes },
      });
      const me = await get('/auth/me', made.body.token);
      expect(me.body.permissions).toEqual(scopes);
      expect(me.body.grantable).toEqual({ installation: scopes });
    },
  );
});
