import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ERRORS } from '../../shared/errors/all.ts';
import { AccessClient, asGroup, asPerson, NOT_ALLOWED, person, STALE } from './access-changes.ts';
import { startGateway, type TestGateway } from './access-setup.ts';

const GIVES_MORE = ERRORS.group_gives_more.sentence;

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
const read = async (id: string) => (await client.get(`/access/groups/${id}`)).body;

describe('a group', () => {
  it('is created, changed and listed by name, and the audit says what changed', async () => {
    const group = await client.group('Front desk', { description: 'Who opens the post' });
    expect(group).toMatchObject({ name: 'Front desk', enabled: true, member_count: 0, version: 1 });
    await client.group('Back office', { enabled: false });
    gateway.clock.ms += 1000;
    const body = { name: 'Reception', enabled: false, version: 1 };
    const changed = await client.sendOk('PATCH', `/access/groups/${group.id}`, body);
    expect(changed.group).toMatchObject({
      name: 'Reception',
      description: 'Who opens the post',
      enabled: false,
      version: 2,
    });
    expect(changed.group.updated_at > changed.group.created_at).toBe(true);
    expect(changed.policy_version).toBe(await client.policy());
    expect(await read(group.id)).toEqual({ ...changed, members: [] });
    const list = (await client.get('/access/groups')).body;
    expect(list.items.map((each: { name: string }) => each.name)).toEqual(['Back office', 'Reception']);
    expect(list).toMatchObject({ next_cursor: null, policy_version: changed.policy_version });
    const [event] = await client.audit('group.change');
    expect(event).toMatchObject({
      actor: { id: 'bootstrap' },
      target: { kind: 'group', id: group.id },
      policyVersion: changed.policy_version,
      details: {
        group: 'Reception',
        name: { from: 'Front desk', to: 'Reception' },
        enabled: { from: true, to: false },
      },
    });
    expect(event?.details).not.toHaveProperty('description');
  });

  it('is listed page by page, each once', async () => {
    for (const name of ['d', 'b', 'e', 'a', 'c']) await client.group(name);
    const seen: string[] = [];
    let cursor = '';
    do {
      const page = (await client.get(`/access/groups?limit=2${cursor}`)).body;
      seen.push(...page.items.map((each: { name: string }) => each.name));
      cursor = page.next_cursor === null ? '' : `&cursor=${page.next_cursor}`;
    } while (cursor !== '');
    expect(seen).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect((await client.get('/access/groups?cursor=nonsense')).status).toBe(400);
  });

  it('has a name that no other has, whatever the case', async () => {
    const taken = [409, 'That name is taken.'];
    await client.group('Büro Süd');
    const other = await client.group('Lab');
    expect(await client.refusal('POST', '/access/groups', { name: ' büro SÜD ' })).toEqual(taken);
    const rename = (name: string) =>
      client.refusal('PATCH', `/access/groups/${other.id}`, { name, version: other.version });
    expect(await rename('BÜRO SÜD')).toEqual(taken);
    expect(await read(other.id)).toMatchObject({ group: { name: 'Lab', version: 1 } });
    expect((await rename('LAB'))[0]).toBe(200);
    expect(await client.refusal('POST', '/access/groups', { name: ' ' })).toEqual([
      400,
      '"name" must not be empty.',
    ]);
  });

  it('is not changed by who read an older one or an older policy', async () => {
    const group = await client.group('Desk');
    const policy = await client.policy();
    const path = `/access/groups/${group.id}`;
    const before = await read(group.id);
    for (const stale of [{ version: 2 }, { version: 1, expected_policy_version: policy - 1 }]) {
      expect(await client.refusal('PATCH', path, { name: 'Other', ...stale })).toEqual([409, STALE]);
      expect(await read(group.id)).toEqual(before);
    }
    const body = { name: 'New', expected_policy_version: policy - 1 };
    expect(await client.refusal('POST', '/access/groups', body)).toEqual([409, STALE]);
    expect((await client.get('/access/groups')).body.items).toHaveLength(1);
    const missing = [404, 'There is no such group.'];
    expect(await client.refusal('PATCH', '/access/groups/none', { name: 'x', version: 1 })).toEqual(missing);
    expect((await client.get('/access/groups/none')).status).toBe(404);
  });
});

it('of changes that were made from one read, one is kept', async () => {
  const expected_policy_version = await client.policy();
  const names = Array.from({ length: 8 }, (_, n) => `Group ${n}`);
  const answers = await Promise.all(
    names.map((name) => client.send('POST', '/access/groups', { name, expected_policy_version })),
  );
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([
    200,
    ...names.slice(1).map(() => 409),
  ]);
  expect((await client.get('/access/groups')).body.items).toHaveLength(1);
  expect(await client.audit('group.create')).toHaveLength(1);
});

describe('a member of a group', () => {
  it('may do what the group holds from the moment of joining to that of leaving', async () => {
    const ann = await person(gateway, { login: 'ann', more: ['fax:send'] });
    const group = await client.group('Desk');
    await client.assign(asGroup(group), await client.role('Sends', ['fax:send']));
    expect(await canSend(ann)).toBe(403);
    const joined = await client.join(group, ann);
    expect(joined.group).toMatchObject({ member_count: 1, version: 2 });
    expect(joined.member.principal).toEqual({ id: ann.id, kind: 'user', display_name: 'ann', enabled: true });
    expect((await read(group.id)).members).toEqual([joined.member]);
    expect(await canSend(ann)).toBe(200);
    const off = await client.sendOk('PATCH', `/access/groups/${group.id}`, { enabled: false, version: 2 });
    expect(await canSend(ann)).toBe(403);
    await client.sendOk('PATCH', `/access/groups/${group.id}`, { enabled: true, version: off.group.version });
    expect(await canSend(ann)).toBe(200);
    const leave = `/access/groups/${group.id}/members/${joined.member.id}/remove`;
    const left = await client.sendOk('POST', leave, { membership_version: 1, group_version: 4 });
    expect(left.group).toMatchObject({ member_count: 0, version: 5 });
    expect(await canSend(ann)).toBe(403);
    const details = { group: 'Desk', principal_id: ann.id, principal: 'ann' };
    for (const operation of ['group.add_member', 'group.remove_member'])
      expect(await client.audit(operation)).toMatchObject([
        { target: { kind: 'group', id: group.id }, details },
      ]);
  });

  it('joins once, and only as both were read', async () => {
    const ann = await person(gateway, { login: 'ann' });
    const group = await client.group('Desk');
    const path = `/access/groups/${group.id}/members`;
    const body = { principal_id: ann.id, principal_version: 1, group_version: 1 };
    const policy = await client.policy();
    for (const stale of [
      { principal_version: 2 },
      { group_version: 2 },
      { expected_policy_version: policy - 1 },
    ])
      expect(await client.refusal('POST', path, { ...body, ...stale })).toEqual([409, STALE]);
    expect((await read(group.id)).members).toEqual([]);
    const { member } = await client.join(group, ann);
    expect(await client.refusal('POST', path, { ...body, group_version: 2 })).toEqual([
      409,
      'That person is already in the group.',
    ]);
    for (const [principal_id, refusal] of [
      ['nobody', [404, 'There is no such person or integration.']],
      ['bootstrap', [400, 'The installation key cannot be changed here.']],
    ] as const)
      expect(await client.refusal('POST', path, { ...body, principal_id, group_version: 2 })).toEqual(
        refusal,
      );
    const leave = { membership_version: 1, group_version: 2 };
    const removal = `${path}/${member.id}/remove`;
    for (const stale of [{ membership_version: 2 }, { group_version: 1 }])
      expect(await client.refusal('POST', removal, { ...leave, ...stale })).toEqual([409, STALE]);
    expect((await read(group.id)).members).toHaveLength(1);
    const missing = [404, 'That person is not in the group.'];
    expect(await client.refusal('POST', `${path}/none/remove`, leave)).toEqual(missing);
    const other = await client.group('Other');
    expect(
      await client.refusal('POST', `/access/groups/${other.id}/members/${member.id}/remove`, {
        membership_version: 1,
        group_version: 1,
      }),
    ).toEqual(missing);
  });
});

describe('whoever manages groups without holding more', () => {
  const manages = ['groups:read', 'groups:manage'];

  it('puts nobody into a group that holds more, not even while it is disabled', async () => {
    const ann = await person(gateway, {
      login: 'ann',
      permissions: [...manages, 'fax:read'],
      more: ['fax:send'],
    });
    const group = await client.group('Desk');
    const role = await client.role('Sends', ['fax:send']);
    await client.assign(asGroup(group), role);
    const join = (version: number) =>
      client.as(ann).refusal('POST', `/access/groups/${group.id}/members`, {
        principal_id: ann.id,
        principal_version: 1,
        group_version: version,
      });
    expect(await join(1)).toEqual([403, GIVES_MORE]);
    const disable = { enabled: false, version: 1 };
    const path = `/access/groups/${group.id}`;
    expect(await client.as(ann).refusal('PATCH', path, disable)).toEqual([403, GIVES_MORE]);
    const off = await client.sendOk('PATCH', path, disable);
    expect(await join(off.group.version)).toEqual([403, GIVES_MORE]);
    const on = { enabled: true, version: off.group.version };
    expect(await client.as(ann).refusal('PATCH', path, on)).toEqual([403, GIVES_MORE]);
    await client.sendOk('PATCH', `/access/roles/${role.id}`, { enabled: false, version: role.version });
    expect(await join(off.group.version)).toEqual([403, GIVES_MORE]);
    expect(await read(group.id)).toMatchObject({ group: { enabled: false, version: 2 }, members: [] });
    expect(await canSend(ann)).toBe(403);
  });

  it('may join and enable one that holds what they hold there', async () => {
    const ann = await person(gateway, { login: 'ann', permissions: [...manages, 'fax:send'] });
    const ben = await person(gateway, { login: 'ben', more: ['fax:send'] });
    const group = await client.group('Desk', { enabled: false });
    await client.assign(asGroup(group), await client.role('Sends', ['fax:send']));
    const joined = await client.as(ann).join(group, ben);
    expect(await canSend(ben)).toBe(403);
    const on = { enabled: true, version: joined.group.version };
    await client.as(ann).sendOk('PATCH', `/access/groups/${group.id}`, on);
    expect(await canSend(ben)).toBe(200);
  });

  it('needs the permission for every read and change', async () => {
    const ann = await person(gateway, { login: 'ann', permissions: ['groups:read'] });
    const ben = await person(gateway, { login: 'ben', permissions: ['roles:read'] });
    const group = await client.group('Desk');
    expect((await client.as(ann).get(`/access/groups/${group.id}`)).status).toBe(200);
    expect(await client.as(ann).refusal('POST', '/access/groups', { name: 'New' })).toEqual(NOT_ALLOWED);
    expect(await client.as(ann).refusal('PATCH', `/access/groups/${group.id}`, { version: 1 })).toEqual(
      NOT_ALLOWED,
    );
    expect((await client.as(ben).get('/access/groups')).status).toBe(403);
  });
});

describe('the last owner', () => {
  it('stays one, whether their group is disabled or they are taken out of it', async () => {
    const olga = await person(gateway, { login: 'olga' });
    const owners = await client.group('Owners');
    await client.assign(asGroup(owners), (await client.get('/access/roles/role_owner')).body.role);
    const { group, member } = await client.join(owners, olga);
    const lastOwner = [409, 'One enabled owner must remain.'];
    const disable = { enabled: false, version: group.version };
    const path = `/access/groups/${owners.id}`;
    expect(await client.refusal('PATCH', path, disable)).toEqual(lastOwner);
    const leave = { membership_version: 1, group_version: group.version };
    expect(await client.refusal('POST', `${path}/members/${member.id}/remove`, leave)).toEqual(lastOwner);
    expect(await read(owners.id)).toMatchObject({ group: { enabled: true, version: 2, member_count: 1 } });
    await client.assign(asPerson(olga), (await client.get('/access/roles/role_owner')).body.role);
    await client.sendOk('PATCH', path, disable);
  });
});
