import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { asGroup, asPerson, Door, GRANTS_MORE, NOT_ALLOWED, person, STALE } from './access-changes.ts';
import { startGateway, type TestGateway } from './access-setup.ts';

let gateway: TestGateway;
let door: Door;

beforeEach(async () => {
  gateway = await startGateway();
  door = new Door(gateway);
});

afterEach(async () => {
  await gateway.stop();
});

const canSend = async ({ key }: { key: string }) => (await gateway.ask('POST', '/send', { key })).status;
const read = async (id: string) => (await door.get(`/access/groups/${id}`)).body;

describe('a group', () => {
  it('is created, changed and listed by name, and the audit says what changed', async () => {
    const group = await door.group('Front desk', { description: 'Who opens the post' });
    expect(group).toMatchObject({ name: 'Front desk', enabled: true, member_count: 0, version: 1 });
    await door.group('Back office', { enabled: false });
    gateway.clock.ms += 1000;
    const body = { name: 'Reception', enabled: false, version: 1 };
    const changed = await door.made('PATCH', `/access/groups/${group.id}`, body);
    expect(changed.group).toMatchObject({
      name: 'Reception',
      description: 'Who opens the post',
      enabled: false,
      version: 2,
    });
    expect(changed.group.updated_at > changed.group.created_at).toBe(true);
    expect(changed.policy_version).toBe(await door.policy());
    expect(await read(group.id)).toEqual({ ...changed, members: [] });
    const list = (await door.get('/access/groups')).body;
    expect(list.items.map((each: { name: string }) => each.name)).toEqual(['Back office', 'Reception']);
    expect(list).toMatchObject({ next_cursor: null, policy_version: changed.policy_version });
    const [event] = await door.audit('group.change');
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
    for (const name of ['d', 'b', 'e', 'a', 'c']) await door.group(name);
    const seen: string[] = [];
    let cursor = '';
    do {
      const page = (await door.get(`/access/groups?limit=2${cursor}`)).body;
      seen.push(...page.items.map((each: { name: string }) => each.name));
      cursor = page.next_cursor === null ? '' : `&cursor=${page.next_cursor}`;
    } while (cursor !== '');
    expect(seen).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect((await door.get('/access/groups?cursor=nonsense')).status).toBe(400);
  });

  it('has a name that no other has, whatever the case', async () => {
    const taken = [409, 'That name is taken.'];
    await door.group('Büro Süd');
    const other = await door.group('Lab');
    expect(await door.refusal('POST', '/access/groups', { name: ' büro SÜD ' })).toEqual(taken);
    const rename = (name: string) =>
      door.refusal('PATCH', `/access/groups/${other.id}`, { name, version: other.version });
    expect(await rename('BÜRO SÜD')).toEqual(taken);
    expect(await read(other.id)).toMatchObject({ group: { name: 'Lab', version: 1 } });
    expect((await rename('LAB'))[0]).toBe(200);
    expect(await door.refusal('POST', '/access/groups', { name: ' ' })).toEqual([
      400,
      '"name" must not be empty.',
    ]);
  });

  it('is not changed by who read an older one or an older policy', async () => {
    const group = await door.group('Desk');
    const policy = await door.policy();
    const path = `/access/groups/${group.id}`;
    const before = await read(group.id);
    for (const stale of [{ version: 2 }, { version: 1, expected_policy_version: policy - 1 }]) {
      expect(await door.refusal('PATCH', path, { name: 'Other', ...stale })).toEqual([409, STALE]);
      expect(await read(group.id)).toEqual(before);
    }
    const body = { name: 'New', expected_policy_version: policy - 1 };
    expect(await door.refusal('POST', '/access/groups', body)).toEqual([409, STALE]);
    expect((await door.get('/access/groups')).body.items).toHaveLength(1);
    const missing = [404, 'There is no such group.'];
    expect(await door.refusal('PATCH', '/access/groups/none', { name: 'x', version: 1 })).toEqual(missing);
    expect((await door.get('/access/groups/none')).status).toBe(404);
  });
});

it('of changes that were made from one read, one is kept', async () => {
  const expected_policy_version = await door.policy();
  const names = Array.from({ length: 8 }, (_, n) => `Group ${n}`);
  const answers = await Promise.all(
    names.map((name) => door.send('POST', '/access/groups', { name, expected_policy_version })),
  );
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([
    200,
    ...names.slice(1).map(() => 409),
  ]);
  expect((await door.get('/access/groups')).body.items).toHaveLength(1);
  expect(await door.audit('group.create')).toHaveLength(1);
});

describe('a member of a group', () => {
  it('may do what the group holds from the moment of joining to that of leaving', async () => {
    const ann = await person(gateway, { login: 'ann', more: ['fax:send'] });
    const group = await door.group('Desk');
    await door.assign(asGroup(group), await door.role('Sends', ['fax:send']));
    expect(await canSend(ann)).toBe(403);
    const joined = await door.join(group, ann);
    expect(joined.group).toMatchObject({ member_count: 1, version: 2 });
    expect(joined.member.principal).toEqual({ id: ann.id, kind: 'user', display_name: 'ann', enabled: true });
    expect((await read(group.id)).members).toEqual([joined.member]);
    expect(await canSend(ann)).toBe(200);
    const off = await door.made('PATCH', `/access/groups/${group.id}`, { enabled: false, version: 2 });
    expect(await canSend(ann)).toBe(403);
    await door.made('PATCH', `/access/groups/${group.id}`, { enabled: true, version: off.group.version });
    expect(await canSend(ann)).toBe(200);
    const leave = `/access/groups/${group.id}/members/${joined.member.id}/remove`;
    const left = await door.made('POST', leave, { membership_version: 1, group_version: 4 });
    expect(left.group).toMatchObject({ member_count: 0, version: 5 });
    expect(await canSend(ann)).toBe(403);
    const details = { group: 'Desk', principal_id: ann.id, principal: 'ann' };
    for (const operation of ['group.add_member', 'group.remove_member'])
      expect(await door.audit(operation)).toMatchObject([
        { target: { kind: 'group', id: group.id }, details },
      ]);
  });

  it('joins once, and only as both were read', async () => {
    const ann = await person(gateway, { login: 'ann' });
    const group = await door.group('Desk');
    const path = `/access/groups/${group.id}/members`;
    const body = { principal_id: ann.id, principal_version: 1, group_version: 1 };
    const policy = await door.policy();
    for (const stale of [
      { principal_version: 2 },
      { group_version: 2 },
      { expected_policy_version: policy - 1 },
    ])
      expect(await door.refusal('POST', path, { ...body, ...stale })).toEqual([409, STALE]);
    expect((await read(group.id)).members).toEqual([]);
    const { member } = await door.join(group, ann);
    expect(await door.refusal('POST', path, { ...body, group_version: 2 })).toEqual([
      409,
      'That person is already in the group.',
    ]);
    for (const [principal_id, refusal] of [
      ['nobody', [404, 'There is no such person or integration.']],
      ['bootstrap', [400, 'The installation key cannot be changed here.']],
    ] as const)
      expect(await door.refusal('POST', path, { ...body, principal_id, group_version: 2 })).toEqual(refusal);
    const leave = { membership_version: 1, group_version: 2 };
    const removal = `${path}/${member.id}/remove`;
    for (const stale of [{ membership_version: 2 }, { group_version: 1 }])
      expect(await door.refusal('POST', removal, { ...leave, ...stale })).toEqual([409, STALE]);
    expect((await read(group.id)).members).toHaveLength(1);
    const missing = [404, 'That person is not in the group.'];
    expect(await door.refusal('POST', `${path}/none/remove`, leave)).toEqual(missing);
    const other = await door.group('Other');
    expect(
      await door.refusal('POST', `/access/groups/${other.id}/members/${member.id}/remove`, {
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
    const group = await door.group('Desk');
    const role = await door.role('Sends', ['fax:send']);
    await door.assign(asGroup(group), role);
    const join = (version: number) =>
      door.as(ann).refusal('POST', `/access/groups/${group.id}/members`, {
        principal_id: ann.id,
        principal_version: 1,
        group_version: version,
      });
    expect(await join(1)).toEqual([403, GRANTS_MORE]);
    const off = await door
      .as(ann)
      .made('PATCH', `/access/groups/${group.id}`, { enabled: false, version: 1 });
    expect(await join(off.group.version)).toEqual([403, GRANTS_MORE]);
    const on = { enabled: true, version: off.group.version };
    expect(await door.as(ann).refusal('PATCH', `/access/groups/${group.id}`, on)).toEqual([403, GRANTS_MORE]);
    await door.made('PATCH', `/access/roles/${role.id}`, { enabled: false, version: role.version });
    expect(await join(off.group.version)).toEqual([403, GRANTS_MORE]);
    expect(await read(group.id)).toMatchObject({ group: { enabled: false, version: 2 }, members: [] });
    expect(await canSend(ann)).toBe(403);
  });

  it('may join and enable one that holds what they hold there', async () => {
    const ann = await person(gateway, { login: 'ann', permissions: [...manages, 'fax:send'] });
    const ben = await person(gateway, { login: 'ben', more: ['fax:send'] });
    const group = await door.group('Desk', { enabled: false });
    await door.assign(asGroup(group), await door.role('Sends', ['fax:send']));
    const joined = await door.as(ann).join(group, ben);
    expect(await canSend(ben)).toBe(403);
    const on = { enabled: true, version: joined.group.version };
    await door.as(ann).made('PATCH', `/access/groups/${group.id}`, on);
    expect(await canSend(ben)).toBe(200);
  });

  it('needs the permission for every read and change', async () => {
    const ann = await person(gateway, { login: 'ann', permissions: ['groups:read'] });
    const ben = await person(gateway, { login: 'ben', permissions: ['roles:read'] });
    const group = await door.group('Desk');
    expect((await door.as(ann).get(`/access/groups/${group.id}`)).status).toBe(200);
    expect(await door.as(ann).refusal('POST', '/access/groups', { name: 'New' })).toEqual(NOT_ALLOWED);
    expect(await door.as(ann).refusal('PATCH', `/access/groups/${group.id}`, { version: 1 })).toEqual(
      NOT_ALLOWED,
    );
    expect((await door.as(ben).get('/access/groups')).status).toBe(403);
  });
});

describe('the last owner', () => {
  it('stays one, whether their group is disabled or they are taken out of it', async () => {
    const olga = await person(gateway, { login: 'olga' });
    const owners = await door.group('Owners');
    await door.assign(asGroup(owners), (await door.get('/access/roles/role_owner')).body.role);
    const { group, member } = await door.join(owners, olga);
    const lastOwner = [409, 'One enabled owner must remain.'];
    const disable = { enabled: false, version: group.version };
    const path = `/access/groups/${owners.id}`;
    expect(await door.refusal('PATCH', path, disable)).toEqual(lastOwner);
    const leave = { membership_version: 1, group_version: group.version };
    expect(await door.refusal('POST', `${path}/members/${member.id}/remove`, leave)).toEqual(lastOwner);
    expect(await read(owners.id)).toMatchObject({ group: { enabled: true, version: 2, member_count: 1 } });
    await door.assign(asPerson(olga), (await door.get('/access/roles/role_owner')).body.role);
    await door.made('PATCH', path, disable);
  });
});
