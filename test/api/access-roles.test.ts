import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ERRORS } from '../../shared/errors/all.ts';
import { ALL_PERMISSIONS, BUILT_IN_ROLES } from '../../shared/permissions.ts';
import { AccessClient, addMailbox, asPerson, GRANTS_MORE, person, STALE } from './access-changes.ts';
import { INSTALLATION_KEY, startGateway, type TestGateway } from './access-setup.ts';

const GIVES_MORE = ERRORS.role_gives_more.sentence;

let gateway: TestGateway;
let client: AccessClient;

beforeEach(async () => {
  gateway = await startGateway();
  client = new AccessClient(gateway);
});

afterEach(async () => {
  await gateway.stop();
});

const canSend = async ({ key }: { key: string }) => (await gateway.request('POST', '/send', { key })).status;
const read = async (id: string) => (await client.get(`/access/roles/${id}`)).body.role;
const pathOf = ({ id }: { id: string }) => `/access/roles/${id}`;
const namesIn = (list: { items: { name: string }[] }) => list.items.map(({ name }) => name);

describe('a role', () => {
  it('is created, changed and listed after the built-in ones, and the audit says what changed', async () => {
    const role = await client.role('Zebra', ['inbound:list', 'fax:send', 'fax:send'], {
      description: 'Stripes',
    });
    expect(role).toMatchObject({
      permissions: ['fax:send', 'inbound:list'],
      built_in: false,
      enabled: true,
      requires_two_factor: false,
      version: 1,
    });
    await client.role('Abacus', []);
    const changed = await client.sendOk('PATCH', pathOf(role), {
      permissions: ['fax:read', 'fax:send'],
      requires_two_factor: true,
      version: 1,
    });
    expect(changed.role).toMatchObject({
      name: 'Zebra',
      description: 'Stripes',
      permissions: ['fax:send', 'fax:read'],
      requires_two_factor: true,
      version: 2,
    });
    expect((await client.get(pathOf(role))).body).toEqual(changed);
    const builtIn = BUILT_IN_ROLES.map(({ name }) => name).sort();
    const first = (await client.get('/access/roles?limit=6')).body;
    expect(namesIn(first)).toEqual([...builtIn, 'Abacus']);
    const second = (await client.get(`/access/roles?limit=6&cursor=${first.next_cursor}`)).body;
    expect([namesIn(second), second.next_cursor]).toEqual([['Zebra'], null]);
    const within = (await client.get('/access/roles?limit=3')).body;
    expect(namesIn((await client.get(`/access/roles?cursor=${within.next_cursor}`)).body)).toEqual([
      ...builtIn.slice(3),
      'Abacus',
      'Zebra',
    ]);
    const [event] = await client.audit('role.change');
    expect(event).toMatchObject({
      target: { kind: 'role', id: role.id },
      policyVersion: changed.policy_version,
    });
    expect(event?.details).toEqual({
      role: 'Zebra',
      permissions: { added: ['fax:read'], removed: ['inbound:list'] },
      requires_two_factor: { from: false, to: true },
    });
  });

  it('gives and takes what it holds at once', async () => {
    const ann = await person(gateway, { login: 'ann', more: ['fax:send'] });
    const role = await client.role('Reads', ['fax:read']);
    await client.assign(asPerson(ann), role);
    const steps: [object, number][] = [
      [{ permissions: ['fax:read', 'fax:send'] }, 200],
      [{ enabled: false }, 403],
      [{ enabled: true }, 200],
      [{ permissions: [] }, 403],
    ];
    for (const [n, [change, status]] of steps.entries()) {
      await client.sendOk('PATCH', pathOf(role), { ...change, version: n + 1 });
      expect([change, await canSend(ann)]).toEqual([change, status]);
    }
  });

  it('has a name of its own, and is not changed by who read an older one', async () => {
    const role = await client.role('Night shift', ['fax:read']);
    const before = await read(role.id);
    const taken = [409, 'That name is taken.'];
    const create = (name: string) => client.refusal('POST', '/access/roles', { name, permissions: [] });
    for (const name of ['NIGHT shift', 'owner', 'Fax Viewer']) expect(await create(name)).toEqual(taken);
    expect(await client.refusal('PATCH', pathOf(role), { name: 'AUDITOR', version: 1 })).toEqual(taken);
    const policy = await client.policy();
    for (const stale of [{ version: 2 }, { version: 1, expected_policy_version: policy - 1 }])
      expect(await client.refusal('PATCH', pathOf(role), { permissions: [], ...stale })).toEqual([
        409,
        STALE,
      ]);
    expect(await read(role.id)).toEqual(before);
    const unknown = await client.refusal('POST', '/access/roles', {
      name: 'x',
      permissions: ['host:actions'],
    });
    expect(unknown[0]).toBe(400);
    expect(await client.refusal('PATCH', '/access/roles/none', { version: 1 })).toEqual([
      404,
      'There is no such role.',
    ]);
  });

  it('of a key is shown to nobody and changed by nobody', async () => {
    const body = { name: 'Scanner', scopes: ['fax:send'] };
    const made = await gateway.request('POST', '/admin/api-keys', { key: INSTALLATION_KEY, body });
    const hidden = await gateway.db.read.selectFrom('role').selectAll().where('hidden', '=', 1).execute();
    expect(hidden).toHaveLength(1);
    const [{ id, name }] = hidden as [(typeof hidden)[number]];
    expect(namesIn((await client.get('/access/roles?limit=200')).body)).not.toContain(name);
    expect((await client.get(`/access/roles/${id}`)).status).toBe(404);
    expect((await client.refusal('PATCH', `/access/roles/${id}`, { enabled: false, version: 1 }))[0]).toBe(
      404,
    );
    expect((await client.refusal('POST', '/access/roles', { name, permissions: [] }))[0]).toBe(409);
    expect(await canSend({ key: made.body.token })).toBe(200);
  });
});

describe('a built-in role', () => {
  it('changes only in the second factor it requires', async () => {
    const fixed = [409, 'A built-in role cannot be changed, except for its second factor.'];
    const role = await read('role_fax_viewer');
    expect(role.built_in).toBe(true);
    const changes = [
      { name: 'Viewer' },
      { description: '' },
      { enabled: false },
      { permissions: [] },
      { permissions: [...role.permissions, 'fax:send'], requires_two_factor: true },
    ];
    for (const change of changes)
      expect(await client.refusal('PATCH', pathOf(role), { ...change, version: role.version })).toEqual(
        fixed,
      );
    expect(await read(role.id)).toEqual(role);
    const same = { name: role.name, permissions: role.permissions, enabled: true };
    const body = { ...same, requires_two_factor: true, version: role.version };
    const { role: after } = await client.sendOk('PATCH', pathOf(role), body);
    expect(after).toEqual({ ...role, requires_two_factor: true, version: 2, updated_at: after.updated_at });
    await gateway.access.start();
    expect(await read(role.id)).toEqual(after);
  });
});

describe('whoever manages roles without holding more', () => {
  const manages = ['roles:read', 'roles:manage'];

  it('adds to a role only what they hold wherever it is assigned', async () => {
    await addMailbox(gateway, 'one');
    const permissions = [...manages, 'fax:read'];
    const ann = await person(gateway, { login: 'ann', permissions, more: ['inbound:list', 'fax:send'] });
    const ben = await person(gateway, { login: 'ben', more: ['inbound:list'] });
    const role = await client.role('Own', ['fax:send', 'fax:read']);
    const add = (who: AccessClient, permissions: string[], version: number) =>
      who.refusal('PATCH', pathOf(role), { permissions, version });
    const body = { name: 'More', permissions: ['fax:read', 'users:manage'] };
    expect(await client.as(ann).refusal('POST', '/access/roles', body)).toEqual([403, GRANTS_MORE]);
    expect(await add(client.as(ann), ['fax:send', 'fax:read', 'inbound:list'], 1)).toEqual([
      403,
      GRANTS_MORE,
    ]);
    await client.assign(asPerson(ben), { ...role, version: 1 }, 'mailbox:one');
    expect(await add(client.as(ann), ['fax:read', 'inbound:list'], 1)).toEqual([403, GIVES_MORE]);
    expect(await read(role.id)).toEqual(role);
    const there = await client.role('There', ['inbound:list', 'fax:send']);
    await client.assign(asPerson(ann), there, 'mailbox:one');
    expect((await add(client.as(ann), ['fax:send', 'fax:read', 'inbound:list'], 1))[0]).toBe(200);
    expect((await gateway.request('GET', '/look', { key: ben.key })).body.mailbox).toEqual(['inbound:list']);
  });

  it('changes nothing about a role that somebody has and that gives more', async () => {
    const ann = await person(gateway, { login: 'ann', permissions: manages });
    const ben = await person(gateway, { login: 'ben', more: ['fax:send'] });
    const role = await client.role('Own', ['fax:send', 'fax:read']);
    await client.assign(asPerson(ben), role);
    const change = (who: AccessClient, body: object, version: number) =>
      who.refusal('PATCH', pathOf(role), { ...body, version });
    for (const body of [{ permissions: [] }, { name: 'Mine' }, { enabled: false }])
      expect(await change(client.as(ann), body, 1)).toEqual([403, GIVES_MORE]);
    expect((await change(client, { enabled: false }, 1))[0]).toBe(200);
    expect(await change(client.as(ann), { enabled: true }, 2)).toEqual([403, GIVES_MORE]);
    expect(await canSend(ben)).toBe(403);
    expect((await change(client, { enabled: true }, 2))[0]).toBe(200);
    expect(await canSend(ben)).toBe(200);
  });

  it('requires a second factor, or no longer, only where they have what it protects', async () => {
    const ann = await person(gateway, { login: 'ann', permissions: manages });
    const olga = await person(gateway, { login: 'olga' });
    const owner = await read('role_owner');
    await client.assign(asPerson(olga), owner);
    const ask = (who: AccessClient, requires_two_factor: boolean, version: number) =>
      who.refusal('PATCH', pathOf(owner), { requires_two_factor, version });
    expect(await ask(client.as(ann), true, owner.version)).toEqual([403, GIVES_MORE]);
    expect((await ask(client, true, owner.version))[0]).toBe(200);
    expect(await ask(client.as(ann), false, owner.version + 1)).toEqual([403, GIVES_MORE]);
    expect((await ask(client, false, owner.version + 1))[0]).toBe(200);
  });

  it('is refused once their own right went, whatever version they send', async () => {
    const ann = await person(gateway, { login: 'ann', permissions: [...manages, 'fax:send'] });
    const other = await startGateway({ beside: gateway });
    try {
      const body = { name: 'Mine', permissions: ['fax:send'] };
      const post = (expected_policy_version: number) =>
        other.request('POST', '/access/roles', { key: ann.key, body: { ...body, expected_policy_version } });
      expect((await other.request('GET', '/auth/me', { key: ann.key })).status).toBe(200);
      const assignments = (await client.get(`/access/assignments?subject_id=${ann.id}`)).body.items;
      const remove = `/access/assignments/${assignments[0].id}/remove`;
      const { policy_version } = await client.sendOk('POST', remove, { version: 1 });
      const answer = await post(policy_version);
      expect([answer.status, answer.body.detail]).toEqual([409, STALE]);
      gateway.clock.ms += 250;
      expect((await post(policy_version)).status).toBe(403);
    } finally {
      await other.stop();
    }
  });
});

describe('the list of permissions', () => {
  it('is open to everybody who is signed in, in the order of the screen', async () => {
    const ann = await person(gateway, { login: 'ann' });
    const { status, body } = await client.as(ann).get('/access/permissions');
    expect(status).toBe(200);
    expect(body.items.map((item: { permission: string }) => item.permission)).toEqual(ALL_PERMISSIONS);
    expect(body.items).toContainEqual({
      permission: 'inbound:document',
      group: 'Received faxes',
      description: 'Open received documents',
    });
    for (const { group, permission } of body.items) expect(group).not.toBe(permission.split(':')[0]);
    expect((await gateway.request('GET', '/access/permissions')).status).toBe(401);
    expect((await client.as(ann).get('/access/roles')).status).toBe(403);
  });
});
