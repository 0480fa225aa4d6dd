import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ERRORS } from '../../shared/errors/all.ts';
import { AccessClient, asPerson, NOT_ALLOWED, person, STALE } from './access-changes.ts';
import { startGateway, type TestGateway } from './access-setup.ts';

const NOT_SEEN = [403, ERRORS.faxes_not_seen.sentence];

let gateway: TestGateway;
let client: AccessClient;

beforeEach(async () => {
  gateway = await startGateway();
  client = new AccessClient(gateway);
});

afterEach(async () => {
  await gateway.stop();
});

const mailbox = async (label: string, more: object = {}) =>
  (await client.sendOk('POST', '/access/mailboxes', { label, ...more })).mailbox;
const rule = async (to_number: string, mailbox_id: string) =>
  (await client.sendOk('POST', '/access/inbound-rules', { to_number, mailbox_id })).rule;
const mailboxes = async () => (await client.get('/access/mailboxes')).body.items;
const rules = async (query = '') => (await client.get(`/access/inbound-rules${query}`)).body;

describe('a mailbox', () => {
  it('is created, renamed, disabled and listed by label with its numbers', async () => {
    const lab = await mailbox('Laboratory');
    const front = await mailbox('Front desk', { enabled: false });
    expect(lab).toMatchObject({ label: 'Laboratory', enabled: true, numbers: [], version: 1 });
    await rule('+12025550102', lab.id);
    await rule('+12025550101', lab.id);
    const changed = await client.sendOk('PATCH', `/access/mailboxes/${lab.id}`, {
      label: 'Lab',
      enabled: false,
      version: 1,
    });
    expect(changed.mailbox).toMatchObject({
      label: 'Lab',
      enabled: false,
      numbers: ['+12025550101', '+12025550102'],
      version: 2,
    });
    expect(await mailboxes()).toEqual([front, changed.mailbox]);
    const first = (await client.get('/access/mailboxes?limit=1')).body;
    expect(first).toMatchObject({ items: [front], policy_version: changed.policy_version });
    const second = (await client.get(`/access/mailboxes?limit=1&cursor=${first.next_cursor}`)).body;
    expect([second.items, second.next_cursor]).toEqual([[changed.mailbox], null]);
    const resources = (await client.get('/access/resources?kind=mailbox')).body.items;
    expect(resources.map(({ name }: { name: string }) => name)).toEqual(['Front desk', 'Lab']);
    expect(await client.audit('mailbox.change')).toMatchObject([
      {
        target: { kind: 'mailbox', id: lab.id },
        details: {
          mailbox: 'Lab',
          label: { from: 'Laboratory', to: 'Lab' },
          enabled: { from: true, to: false },
        },
      },
    ]);
  });

  it('has a label of its own, and is changed only as it was read', async () => {
    const front = await mailbox('Front desk');
    const path = `/access/mailboxes/${front.id}`;
    const taken = [409, 'That name is taken.'];
    expect(await client.refusal('POST', '/access/mailboxes', { label: 'FRONT desk' })).toEqual(taken);
    await mailbox('Lab');
    expect(await client.refusal('PATCH', path, { label: 'lab', version: 1 })).toEqual(taken);
    const policy = await client.policy();
    for (const stale of [{ version: 2 }, { version: 1, expected_policy_version: policy - 1 }])
      expect(await client.refusal('PATCH', path, { label: 'New', ...stale })).toEqual([409, STALE]);
    expect((await mailboxes())[0]).toEqual(front);
    const missing = [404, 'There is no such mailbox.'];
    expect(await client.refusal('PATCH', '/access/mailboxes/none', { version: 1 })).toEqual(missing);
  });
});

describe('a number rule', () => {
  it('takes a number as it is dialled in the country, and is listed by number', async () => {
    const front = await mailbox('Front desk');
    const lab = await mailbox('Lab', { enabled: false });
    const two = await rule(' (202) 555-0102 ', front.id);
    expect(two).toMatchObject({
      to_number: '+12025550102',
      mailbox: { id: front.id, label: 'Front desk', enabled: true },
      version: 1,
    });
    gateway.settings.country = 'DE';
    const one = await rule('030 1234567', lab.id);
    expect(one).toMatchObject({ to_number: '+49301234567', mailbox: { label: 'Lab', enabled: false } });
    expect((await rules()).items).toEqual([two, one]);
    const first = await rules('?limit=1');
    expect(first.items).toEqual([two]);
    const second = await rules(`?limit=1&cursor=${first.next_cursor}`);
    expect([second.items, second.next_cursor]).toEqual([[one], null]);
    expect((await rules(`?mailbox_id=${lab.id}`)).items).toEqual([one]);
  });

  it('names a whole number and a mailbox that exists', async () => {
    const front = await mailbox('Front desk');
    const bad = [400, 'That fax number is incomplete or not valid.'];
    for (const to_number of ['12', 'front', '+1202555', '+1 202 555 0101 ext. 5']) {
      const body = { to_number, mailbox_id: front.id };
      expect([to_number, await client.refusal('POST', '/access/inbound-rules', body)]).toEqual([
        to_number,
        bad,
      ]);
    }
    const body = { to_number: '+12025550101', mailbox_id: 'none' };
    const missing = [404, 'There is no such mailbox.'];
    expect(await client.refusal('POST', '/access/inbound-rules', body)).toEqual(missing);
    const made = await rule('+12025550101', front.id);
    const path = `/access/inbound-rules/${made.id}`;
    expect(await client.refusal('PATCH', path, { mailbox_id: 'none', version: 1 })).toEqual(missing);
    expect(await client.refusal('PATCH', path, { to_number: '5', version: 1 })).toEqual(bad);
    expect((await rules()).items).toEqual([made]);
  });

  it('moves to another number or mailbox, and is removed, as it was read', async () => {
    const front = await mailbox('Front desk');
    const lab = await mailbox('Lab');
    const made = await rule('+12025550101', front.id);
    const other = await rule('+12025550102', front.id);
    const path = `/access/inbound-rules/${made.id}`;
    const taken = [409, 'Faxes to that number are filed by another rule.'];
    const again = { to_number: '202-555-0101', mailbox_id: lab.id };
    expect(await client.refusal('POST', '/access/inbound-rules', again)).toEqual(taken);
    expect(await client.refusal('PATCH', path, { to_number: '2025550102', version: 1 })).toEqual(taken);
    const policy = await client.policy();
    for (const stale of [{ version: 2 }, { version: 1, expected_policy_version: policy - 1 }]) {
      expect(await client.refusal('PATCH', path, { mailbox_id: lab.id, ...stale })).toEqual([409, STALE]);
      expect(await client.refusal('POST', `${path}/remove`, stale)).toEqual([409, STALE]);
    }
    expect((await rules()).items).toEqual([made, other]);
    const moved = await client.sendOk('PATCH', path, {
      to_number: '2025550103',
      mailbox_id: lab.id,
      version: 1,
    });
    expect(moved.rule).toMatchObject({ to_number: '+12025550103', mailbox: { id: lab.id }, version: 2 });
    const [event] = await client.audit('inbound_rule.change');
    expect(event?.details).toEqual({
      to_number: { from: '+12025550101', to: '+12025550103' },
      mailbox_id: { from: front.id, to: lab.id },
      mailbox: { from: 'Front desk', to: 'Lab' },
    });
    const removed = await client.sendOk('POST', `${path}/remove`, { version: 2 });
    expect(removed.rule).toEqual(moved.rule);
    expect((await rules()).items).toEqual([other]);
    const missing = [404, 'There is no such number rule.'];
    for (const [method, gone] of [
      ['PATCH', path],
      ['POST', `${path}/remove`],
    ] as const)
      expect(await client.refusal(method, gone, { version: 2 })).toEqual(missing);
  });
});

it('mailboxes and rules are read with mailboxes:read and changed with mailboxes:manage', async () => {
  const ann = client.as(await person(gateway, { login: 'ann', permissions: ['mailboxes:read'] }));
  const ben = client.as(await person(gateway, { login: 'ben', permissions: ['mailboxes:manage'] }));
  const front = await mailbox('Front desk');
  const path = `/access/mailboxes/${front.id}`;
  for (const list of ['/access/mailboxes', '/access/inbound-rules']) {
    expect((await ann.get(list)).status).toBe(200);
    expect((await ben.get(list)).status).toBe(403);
  }
  expect(await ann.refusal('PATCH', path, { enabled: false, version: 1 })).toEqual(NOT_ALLOWED);
  const body = { to_number: '+12025550101', mailbox_id: front.id };
  expect(await ann.refusal('POST', '/access/inbound-rules', body)).toEqual(NOT_ALLOWED);
  expect(await ben.refusal('POST', '/access/inbound-rules', body)).toEqual(NOT_SEEN);
  const sees = ['mailboxes:manage', 'inbound:list', 'inbound:read', 'inbound:document'];
  const cem = client.as(await person(gateway, { login: 'cem', permissions: sees }));
  expect((await cem.sendOk('POST', '/access/inbound-rules', body)).rule.mailbox.id).toBe(front.id);
});

it('nobody files elsewhere what they do not see', async () => {
  const sees = ['inbound:list', 'inbound:read', 'inbound:document'];
  const own = await mailbox('Own');
  const other = await mailbox('Other');
  const ann = await person(gateway, { login: 'ann', permissions: ['mailboxes:manage'], more: sees });
  await client.assign(asPerson(ann), await client.role('Sees', sees), `mailbox:${own.id}`);
  const rule = (to_number: string, { id }: { id: string }) =>
    client.sendOk('POST', '/access/inbound-rules', { to_number, mailbox_id: id });
  const ours = (await rule('+12025550101', own)).rule;
  const theirs = (await rule('+12025550102', other)).rule;
  const manager = client.as(ann);
  const change = (which: { id: string }, body: object) =>
    manager.refusal('PATCH', `/access/inbound-rules/${which.id}`, { version: 1, ...body });
  expect(await change(theirs, { mailbox_id: own.id })).toEqual(NOT_SEEN);
  expect(await change(ours, { to_number: '+12025550103' })).toEqual(NOT_SEEN);
  const remove = `/access/inbound-rules/${theirs.id}/remove`;
  expect(await manager.refusal('POST', remove, { version: 1 })).toEqual(NOT_SEEN);
  for (const body of [{ enabled: false }, { label: 'Mine' }])
    expect(await manager.refusal('PATCH', `/access/mailboxes/${other.id}`, { version: 1, ...body })).toEqual(
      NOT_SEEN,
    );
  const fresh = { to_number: '+12025550104', mailbox_id: own.id };
  expect(await manager.refusal('POST', '/access/inbound-rules', fresh)).toEqual(NOT_SEEN);
  expect((await change(ours, { mailbox_id: other.id }))[0]).toBe(200);
});
