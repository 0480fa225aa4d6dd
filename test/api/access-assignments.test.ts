import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ERRORS } from '../../shared/errors/all.ts';
import { hasEffectOn, type Permission } from '../../shared/permissions.ts';
import { allRoutes } from '../setup/every-route.ts';
import {
  AccessClient,
  addMailbox,
  asGroup,
  asPerson,
  GRANTS_MORE,
  NOT_ALLOWED,
  person,
  STALE,
} from './access-changes.ts';
import { startGateway, type TestGateway } from './access-setup.ts';

let gateway: TestGateway;
let client: AccessClient;

beforeEach(async () => {
  gateway = await startGateway();
  client = new AccessClient(gateway);
  await addMailbox(gateway, 'one', 'Front desk');
  await addMailbox(gateway, 'two', 'Archive');
});

afterEach(async () => {
  await gateway.stop();
});

const look = async ({ key }: { key: string }) => (await gateway.request('GET', '/look', { key })).body;
const list = async (query = '') => (await client.get(`/access/assignments${query}`)).body;
const idsIn = (page: { items: { id: string }[] }) => page.items.map(({ id }) => id);
const owner = async () => (await client.get('/access/roles/role_owner')).body.role;

/** The body that gives a role, for refusals. */
const given = (subject: object, role: { id: string; version: number }, resource_id = 'installation') => ({
  subject,
  role: { id: role.id, version: role.version },
  resource_id,
});

describe('an assignment', () => {
  it('opens a resource to a person until it is taken away, and the audit has both', async () => {
    const ann = await person(gateway, { login: 'ann', more: ['inbound:list'] });
    const role = await client.role('Reader', ['inbound:list']);
    const before = await look(ann);
    const made = await client.assign(asPerson(ann), role, 'mailbox:one');
    expect(made).toMatchObject({
      subject: { kind: 'principal', id: ann.id, name: 'ann', principal_kind: 'user' },
      role: { id: role.id, name: 'Reader' },
      resource: { id: 'mailbox:one', kind: 'mailbox', name: 'Front desk' },
      version: 1,
    });
    expect(await look(ann)).toEqual({
      installation: [],
      mailbox: ['inbound:list'],
      anywhere: ['inbound:list'],
    });
    const path = `/access/assignments/${made.id}/remove`;
    const policy = await client.policy();
    for (const stale of [{ version: 2 }, { version: 1, expected_policy_version: policy - 1 }])
      expect(await client.refusal('POST', path, stale)).toEqual([409, STALE]);
    expect(idsIn(await list())).toContain(made.id);
    expect((await client.sendOk('POST', path, { version: 1 })).assignment).toEqual(made);
    expect(await look(ann)).toEqual(before);
    expect(idsIn(await list())).not.toContain(made.id);
    expect(await client.refusal('POST', path, { version: 1 })).toEqual([404, 'There is no such assignment.']);
    const details = { subject: 'ann', role: 'Reader', resource: 'Front desk', resource_id: 'mailbox:one' };
    for (const operation of ['assignment.create', 'assignment.remove'])
      expect(await client.audit(operation)).toMatchObject([
        { target: { kind: 'assignment', id: made.id }, details },
      ]);
  });

  it('is made of what was read: subject, role and policy', async () => {
    const ann = await person(gateway, { login: 'ann' });
    const group = await client.group('Desk');
    const role = await client.role('Reader', ['inbound:list']);
    const create = (body: object) => client.refusal('POST', '/access/assignments', body);
    const before = await list();
    const policy = await client.policy();
    const body = given(asPerson(ann), role);
    for (const stale of [
      { subject: { ...asPerson(ann), version: 2 } },
      { subject: { ...asGroup(group), version: 2 } },
      { role: { id: role.id, version: 2 } },
      { expected_policy_version: policy - 1 },
    ])
      expect([stale, await create({ ...body, ...stale })]).toEqual([stale, [409, STALE]]);
    const off = await client.sendOk('PATCH', `/access/roles/${role.id}`, { enabled: false, version: 1 });
    expect(await create({ ...body, role: { id: role.id, version: off.role.version } })).toEqual([
      409,
      'That role is disabled; enable it before you give it to anyone.',
    ]);
    expect((await list()).items).toEqual(before.items);
  });

  it('is made once, for somebody and on something that exists', async () => {
    const ann = await person(gateway, { login: 'ann' });
    const role = await client.role('Reader', ['inbound:list']);
    const create = (body: object) => client.refusal('POST', '/access/assignments', body);
    const refused: [object, number, string][] = [
      [
        given({ kind: 'principal', id: 'none', version: 1 }, role),
        404,
        'There is no such person or integration.',
      ],
      [given({ kind: 'group', id: ann.id, version: 1 }, role), 404, 'There is no such group.'],
      [
        given({ kind: 'principal', id: 'bootstrap', version: 1 }, role),
        400,
        'The installation key cannot be changed here.',
      ],
      [given(asPerson(ann), { id: 'none', version: 1 }), 404, 'There is no such role.'],
      ...['mailbox:three', 'mailbox:', 'inbound:none', 'work:1', 'everything'].map(
        (id): [object, number, string] => [
          given(asPerson(ann), role, id),
          404,
          'There is no such mailbox or fax to give a role on.',
        ],
      ),
      [
        given(asPerson(ann), role, 'legacy'),
        400,
        'Faxes in no mailbox can be seen only by people with access to everything.',
      ],
    ];
    for (const [body, status, sentence] of refused)
      expect([body, await create(body)]).toEqual([body, [status, sentence]]);
    await client.assign(asPerson(ann), role, 'inbound:fax-in-none');
    expect(await create(given(asPerson(ann), role, 'inbound:fax-in-none'))).toEqual([
      409,
      'That role is already given there.',
    ]);
    await client.assign(asPerson(ann), role, 'mailbox:one');
    expect((await list(`?subject_id=${ann.id}&role_id=${role.id}`)).items).toHaveLength(2);
  });

  it('of a disabled group or person gives nothing yet', async () => {
    const ann = await person(gateway, { login: 'ann', more: ['inbound:list'] });
    const group = await client.group('Desk', { enabled: false });
    const joined = await client.join(group, ann);
    await client.assign(asGroup(joined.group), await client.role('Reader', ['inbound:list']), 'mailbox:one');
    expect((await look(ann)).mailbox).toEqual([]);
    await client.sendOk('PATCH', `/access/groups/${group.id}`, {
      enabled: true,
      version: joined.group.version,
    });
    expect((await look(ann)).mailbox).toEqual(['inbound:list']);
  });
});

describe('the list of assignments', () => {
  it('is newest first, page by page, and of one subject, role or resource', async () => {
    const ann = await person(gateway, { login: 'ann' });
    const group = await client.group('Desk');
    const reader = await client.role('Reader', ['inbound:list']);
    const sender = await client.role('Sender', ['fax:send']);
    const made: string[] = (await list()).items.map(({ id }: { id: string }) => id).reverse();
    for (const [subject, role, resourceId] of [
      [asPerson(ann), reader, 'mailbox:one'],
      [asGroup(group), reader, 'mailbox:one'],
      [asGroup(group), reader, 'installation'],
      [asPerson(ann), sender, 'mailbox:two'],
    ] as const)
      made.push((await client.assign(subject, role, resourceId)).id);
    const newest = made.toReversed();
    const all: string[] = [];
    let cursor = '';
    do {
      const page = await list(`?limit=2${cursor}`);
      all.push(...idsIn(page));
      cursor = page.next_cursor === null ? '' : `&cursor=${page.next_cursor}`;
    } while (cursor !== '');
    expect(all).toEqual(newest);
    const [, b, c, d] = made.slice(-4);
    expect(idsIn(await list(`?subject_id=${group.id}`))).toEqual([c, b]);
    expect(idsIn(await list(`?role_id=${sender.id}`))).toEqual([d]);
    expect(idsIn(await list('?resource_id=mailbox:two'))).toEqual([d]);
    await gateway.request('POST', '/admin/api-keys', { key: client.key, body: {} });
    expect(idsIn(await list())).toEqual(newest);
  });

  it('is shown with grants:read alone, and changed by nobody who holds only that', async () => {
    const ann = await person(gateway, { login: 'ann', permissions: ['grants:read'] });
    const ben = await person(gateway, { login: 'ben', permissions: ['roles:read'] });
    for (const path of ['/access/assignments', '/access/resources']) {
      expect((await client.as(ann).get(path)).status).toBe(200);
      expect((await client.as(ben).get(path)).status).toBe(403);
    }
    const body = given(asPerson(ann), await owner());
    expect(await client.as(ann).refusal('POST', '/access/assignments', body)).toEqual(NOT_ALLOWED);
  });
});

describe('the resources', () => {
  it('are everything, each mailbox, documents with grants, and what nobody can be given', async () => {
    const ann = await person(gateway, { login: 'ann' });
    await client.assign(asPerson(ann), await client.role('Reader', ['inbound:list']), 'inbound:fax-in-one');
    const { items, policy_version } = (await client.get('/access/resources')).body;
    expect(policy_version).toBe(await client.policy());
    expect(items).toEqual([
      { id: 'installation', kind: 'installation', name: 'Everything' },
      { id: 'mailbox:two', kind: 'mailbox', name: 'Archive' },
      { id: 'mailbox:one', kind: 'mailbox', name: 'Front desk' },
      { id: 'inbound:fax-in-one', kind: 'inbound', name: 'Fax of 5 Oct 2026 from +1 202 555 0199' },
      { id: 'legacy', kind: 'legacy', name: 'Documents in no mailbox' },
    ]);
    expect((await client.get('/access/resources?kind=mailbox')).body.items).toEqual(items.slice(1, 3));
    expect((await client.get('/access/resources?kind=folder')).status).toBe(400);
  });
});

describe('whoever gives roles', () => {
  it('gives on a resource only what they hold there', async () => {
    const ann = await person(gateway, {
      login: 'ann',
      permissions: ['grants:manage'],
      more: ['inbound:list'],
    });
    const reader = await client.role('Reader', ['inbound:list']);
    await client.assign(asPerson(ann), reader, 'mailbox:one');
    const give = (role: { id: string; version: number }, resourceId: string) =>
      client.as(ann).refusal('POST', '/access/assignments', given(asPerson(ann), role, resourceId));
    const ben = await person(gateway, { login: 'ben' });
    for (const resourceId of ['installation', 'mailbox:two', 'inbound:fax-in-none'])
      expect([resourceId, await give(reader, resourceId)]).toEqual([resourceId, [403, GRANTS_MORE]]);
    expect(await give(await owner(), 'mailbox:one')).toEqual([403, GRANTS_MORE]);
    expect((await list(`?subject_id=${ann.id}&role_id=${reader.id}`)).items).toHaveLength(1);
    for (const resourceId of ['mailbox:one', 'inbound:fax-in-one'])
      expect((await client.as(ann).assign(asPerson(ben), reader, resourceId)).resource.id).toBe(resourceId);
  });

  it('gives a role on the mailbox where they hold it, though a part of it opens nothing there', async () => {
    const more = ['inbound:list', 'fax:send', 'contacts:read'];
    const ann = await person(gateway, { login: 'ann', permissions: ['grants:manage'], more });
    const ben = await person(gateway, { login: 'ben', more });
    const role = await client.role('Desk', more);
    await client.assign(asPerson(ann), role, 'mailbox:one');
    await client.as(ann).assign(asPerson(ben), role, 'mailbox:one');
    expect((await look(ben)).mailbox).toEqual(['inbound:list']);
    const body = given(asPerson(ben), role);
    expect(await client.as(ann).refusal('POST', '/access/assignments', body)).toEqual([403, GRANTS_MORE]);
  });

  it('makes no owner as an administrator', async () => {
    const ann = await person(gateway, { login: 'ann', more: ['grants:manage', 'fax:send'] });
    await client.assign(asPerson(ann), (await client.get('/access/roles/role_administrator')).body.role);
    const body = given(asPerson(ann), await owner());
    expect(await client.as(ann).refusal('POST', '/access/assignments', body)).toEqual([403, GRANTS_MORE]);
  });

  it('takes only what they hold, and never the last owner', async () => {
    const ann = await person(gateway, { login: 'ann', permissions: ['grants:manage'] });
    const olga = await person(gateway, { login: 'olga' });
    const first = await client.assign(asPerson(olga), await owner());
    const takeAs = (who: AccessClient, { id }: { id: string }) =>
      who.refusal('POST', `/access/assignments/${id}/remove`, { version: 1 });
    expect(await takeAs(client.as(ann), first)).toEqual([403, ERRORS.role_gives_more.sentence]);
    const take = (assignment: { id: string }) => takeAs(client, assignment);
    expect(await take(first)).toEqual([409, 'One enabled owner must remain.']);
    expect(idsIn(await list(`?subject_id=${olga.id}`))).toContain(first.id);
    // An owner of a mailbox owns no installation.
    const ben = await person(gateway, { login: 'ben' });
    await client.assign(asPerson(ben), await owner(), 'mailbox:one');
    expect((await take(first))[0]).toBe(409);
    await client.assign(asPerson(ben), await owner());
    expect((await take(first))[0]).toBe(200);
  });
});

describe('a role on a mailbox', () => {
  it('opens what is about documents and nothing else it names', async () => {
    const permissions = ['groups:read', 'groups:manage', 'users:read', 'inbound:list', 'fax:send'];
    const ann = await person(gateway, { login: 'ann', permissions, resourceId: 'mailbox:one' });
    expect(await look(ann)).toEqual({
      installation: [],
      mailbox: ['inbound:list'],
      anywhere: ['inbound:list', 'fax:send'],
    });
    for (const path of ['/access/groups', '/access/users', '/access/roles'])
      expect([path, (await client.as(ann).get(path)).status]).toEqual([path, 403]);
    expect(await client.as(ann).refusal('POST', '/access/groups', { name: 'Mine' })).toEqual(NOT_ALLOWED);
  });

  it('opens no route but those of documents', () => {
    const wide = allRoutes.filter(
      (route) => route.anywhere && !hasEffectOn(route.access as Permission, 'mailbox:one'),
    );
    expect(wide.map(({ id }) => id)).toEqual([]);
  });
});
