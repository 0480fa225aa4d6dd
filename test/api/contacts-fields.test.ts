import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ERRORS } from '../../shared/errors/all.ts';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { type EventReader, listen } from './console-stream.ts';

// Tests look into answers of every shape.
// oxlint-disable-next-line typescript/no-explicit-any
type Body = any;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ settings: { INBOUND_ENABLED: 'true' } });
});
afterAll(() => gateway.close());

async function request(method: string, path: string, json?: unknown, key?: string): Promise<[number, Body]> {
  const answer = await gateway.request(method, path, { json, ...(key !== undefined && { key }) });
  return [answer.status, await answer.json()];
}

async function create(fields: object, key?: string): Promise<Body> {
  const [status, contact] = await request('POST', '/contacts', fields, key);
  expect(status, JSON.stringify(contact)).toBe(201);
  return contact;
}

const idsOf = async (path: string, key?: string) =>
  (await request('GET', path, undefined, key))[1].items.map(({ id }: Body) => id);

/** A change of access rules with the policy version of the moment. */
async function change(method: string, path: string, body: object): Promise<Body> {
  const [, { policy_version }] = await request('GET', '/auth/me');
  const [status, answer] = await request(method, path, { ...body, expected_policy_version: policy_version });
  expect(status, JSON.stringify(answer)).toBeLessThan(300);
  return answer;
}

/** The key of an integration that changes contacts everywhere and sees faxes of one mailbox. */
async function keyFor(mailboxId: string): Promise<string> {
  const { user } = await change('POST', '/access/integrations', { display_name: `Desk of ${mailboxId}` });
  const subject = { kind: 'principal', id: user.id, version: user.version };
  const permissions = ['contacts:read', 'contacts:manage'];
  const role = { name: `Contacts ${mailboxId}`, description: '', permissions };
  const { role: contacts } = await change('POST', '/access/roles', role);
  const [, { role: operator }] = await request('GET', '/access/roles/role_fax_operator');
  const give = ({ id, version }: Body, resource_id: string) =>
    change('POST', '/access/assignments', { subject, role: { id, version }, resource_id });
  await give(contacts, 'installation');
  await give(operator, `mailbox:${mailboxId}`);
  const ceiling = [...new Set([...permissions, ...operator.permissions])].map((permission) => ({
    permission,
    resource_id: 'installation',
  }));
  const principal = { id: user.id, version: user.version };
  return (await change('POST', '/access/keys', { principal, ceiling })).token;
}

async function importCsv(csv: string, key?: string): Promise<Body> {
  const form = new FormData();
  form.append('existing', 'update');
  form.append('file', new File([csv], 'contacts.csv'));
  const answer = await gateway.request('POST', '/contacts/import', {
    form,
    ...(key !== undefined && { key }),
  });
  return answer.json();
}

const mailboxOf = async (label: string): Promise<string> =>
  (await change('POST', '/access/mailboxes', { label })).mailbox.id;

describe('the fields of a contact', () => {
  test('are kept, changed one by one, and taken away', async () => {
    const hours = [{ days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00' }];
    const made = await create({
      name: 'Mill Valley Cardiology',
      fax_number: '(971) 555-0183',
      other_fax_numbers: ['971-555-0184', '+1 971 555 0183', '+19715550184'],
      voice_number: '971 555 0190',
      address: '12 Mill Street\nMill Valley',
      tags: ['Cardiology', 'referrals', 'cardiology'],
      opted_out: true,
      consent_note: 'By phone, Ms. Ortiz',
      time_zone: 'America/Los_Angeles',
      allowed_hours: hours,
      cover_id: 'short',
      accepts_references: true,
    });
    expect(made).toMatchObject({
      fax_number: '+19715550183',
      other_fax_numbers: ['+19715550184'],
      voice_number: '+19715550190',
      address: '12 Mill Street\nMill Valley',
      tags: ['Cardiology', 'referrals'],
      owner_mailbox_id: null,
      owner_mailbox: null,
      opted_out: true,
      opted_out_at: made.created_at,
      time_zone: 'America/Los_Angeles',
      allowed_hours: hours,
      cover_id: 'short',
      accepts_references: true,
    });
    gateway.clock.advance(60_000);
    const path = `/contacts/${made.id}`;
    const [, noted] = await request('PATCH', path, { consent_note: 'In writing', version: 1 });
    expect(noted).toMatchObject({ consent_note: 'In writing', opted_out_at: made.created_at, version: 2 });
    expect((await request('PATCH', path, { tags: ['cardiology', 'referrals'], version: 2 }))[1].tags).toEqual(
      ['cardiology', 'referrals'],
    );
    const nothing = { other_fax_numbers: [], tags: [], allowed_hours: [], opted_out: false };
    const [, bare] = await request('PATCH', path, {
      ...nothing,
      voice_number: null,
      address: '',
      time_zone: '',
      version: 3,
    });
    expect(bare).toMatchObject({
      ...nothing,
      allowed_hours: null,
      opted_out_at: null,
      voice_number: null,
      address: null,
      time_zone: null,
    });
  });

  test('are refused when they are none', async () => {
    const refused = async (fields: object) => {
      const [status, { detail }] = await request('POST', '/contacts', {
        name: 'Refused',
        fax_number: '+15035550111',
        ...fields,
      });
      return [status, detail];
    };
    expect(await refused({ other_fax_numbers: ['555'] })).toEqual([400, ERRORS.invalid_fax_number.sentence]);
    expect(await refused({ voice_number: '555' })).toEqual([400, ERRORS.invalid_voice_number.sentence]);
    expect((await refused({ time_zone: 'Mars/Base' }))[1]).toContain('must be the name of a time zone');
    const hours = (from: string, to: string) => ({ allowed_hours: [{ days: [1], from, to }] });
    expect((await refused(hours('18:00', '08:00')))[1]).toContain('must end after it begins');
    expect((await refused(hours('8', '9')))[0]).toBe(400);
    expect((await refused({ tags: Array.from({ length: 11 }, (_, at) => `t${at}`) }))[0]).toBe(400);
    expect(await refused({ owner_mailbox_id: 'nowhere' })).toEqual([
      400,
      ERRORS.unknown_contact_mailbox.sentence,
    ]);
  });

  test('rule (contacts): every fax number of a contact is its own, first or further', async () => {
    const one = await create({
      name: 'Bridge Pharmacy',
      fax_number: '+13605550151',
      other_fax_numbers: ['+13605550152'],
    });
    const taken = [409, { detail: ERRORS.contact_number_taken.sentence }];
    const other = { name: 'Other', fax_number: '360-555-0152' };
    expect(await request('POST', '/contacts', other)).toEqual(taken);
    const beside = { name: 'Other', fax_number: '+13605550153', other_fax_numbers: ['+13605550151'] };
    expect(await request('POST', '/contacts', beside)).toEqual(taken);
    expect(await idsOf('/contacts?fax_number=%2B13605550152')).toEqual([one.id]);
    const swapped = { fax_number: '+13605550152', other_fax_numbers: ['+13605550151'], version: 1 };
    expect((await request('PATCH', `/contacts/${one.id}`, swapped))[1]).toMatchObject({
      fax_number: '+13605550152',
      other_fax_numbers: ['+13605550151'],
    });
    await request('PATCH', `/contacts/${one.id}`, { other_fax_numbers: [], version: 2 });
    await create({ name: 'Heir', fax_number: '+13605550151' });
  });

  test('rule (crossings): the name of a contact shows on faxes of each of its fax numbers, which are found by it', async () => {
    const { id } = await create({
      name: 'Harborview Laboratory',
      fax_number: '+15035550173',
      other_fax_numbers: ['+15035550174'],
      tags: ['Pathology'],
    });
    const contact = { id, name: 'Harborview Laboratory' };
    const sent = await gateway.send({ to: '(503) 555-0174' });
    expect(sent.contact).toEqual(contact);
    const [, received] = await request('POST', '/inbound/test', { from_number: '+15035550174' });
    expect(received).toMatchObject({ contact });
    expect((await request('GET', '/work'))[1].items[0]).toMatchObject({ contact });
    expect((await request('GET', '/fax/numbers/check?to=503-555-0174'))[1]).toMatchObject({ contact });
    expect(await idsOf('/fax?q=harborview')).toEqual([sent.id]);
    expect(await idsOf('/inbound/page?q=pathology')).toEqual([received.id]);
  });

  test('lists the contacts with a tag whatever its case, and those that opted out', async () => {
    const one = await create({ name: 'A', fax_number: '+14585550101', tags: ['Résumé', 'freight'] });
    const two = await create({ name: 'B', fax_number: '+14585550102', tags: ['FREIGHT'], opted_out: true });
    expect(await idsOf('/contacts?tag=Freight')).toEqual([one.id, two.id]);
    expect(await idsOf('/contacts?tag=resume')).toEqual([one.id]);
    expect(await idsOf('/contacts?tag=freight&opted_out=true')).toEqual([two.id]);
    await request('POST', `/contacts/${two.id}/remove`, { version: 1 });
    expect(await idsOf('/contacts?tag=freight')).toEqual([one.id]);
  });
});

test('rule (contacts): a contact of a mailbox exists only for people who see the mailbox', async () => {
  const [front, lab] = [await mailboxOf('Front desk'), await mailboxOf('Laboratory')];
  const [ofFront, ofLab] = [await keyFor(front), await keyFor(lab)];
  const number = '+12065550150';
  const made = await create({ name: 'Quiet Clinic', fax_number: number, owner_mailbox_id: front }, ofFront);
  expect(made).toMatchObject({ owner_mailbox_id: front, owner_mailbox: 'Front desk' });
  const path = `/contacts/${made.id}`;
  const missing = [404, { detail: ERRORS.no_such_contact.sentence }];
  expect(await request('GET', path, undefined, ofLab)).toEqual(missing);
  expect(await request('PATCH', path, { name: 'Mine', version: 1 }, ofLab)).toEqual(missing);
  expect(await request('POST', `${path}/remove`, { version: 1 }, ofLab)).toEqual(missing);
  expect(await request('POST', `${path}/forget-line-memory`, undefined, ofLab)).toEqual(missing);
  const seen = async (key?: string) => [
    await idsOf('/contacts?q=quiet', key),
    await idsOf(`/contacts?fax_number=${encodeURIComponent(number)}`, key),
    (
      await (await gateway.request('GET', '/contacts/export', key === undefined ? {} : { key })).text()
    ).includes('Quiet Clinic'),
  ];
  expect(await seen(ofFront)).toEqual([[made.id], [made.id], true]);
  expect(await seen()).toEqual([[made.id], [made.id], true]);
  expect(await seen(ofLab)).toEqual([[], [], false]);
  const check = async (key: string) =>
    (await request('GET', `/fax/numbers/check?to=${encodeURIComponent(number)}`, undefined, key))[1].contact;
  expect([await check(ofFront), await check(ofLab)]).toEqual([{ id: made.id, name: 'Quiet Clinic' }, null]);
  expect((await request('PATCH', path, { owner_mailbox_id: lab, version: 1 }, ofFront))[1]).toEqual({
    detail: ERRORS.unknown_contact_mailbox.sentence,
  });

  const imported = await importCsv(`Name,Fax\nOther,${number}\n`, ofLab);
  expect(imported).toMatchObject({ changed: 0, left_out: 1 });
  expect((await request('GET', path))[1]).toMatchObject({ name: 'Quiet Clinic', version: 1 });

  const readers: EventReader[] = [
    await listen(gateway, { key: ofFront }),
    await listen(gateway, { key: ofLab }),
  ];
  await request('PATCH', path, { note: 'x', version: 1 }, ofFront);
  await request('PATCH', path, { owner_mailbox_id: lab, version: 2 });
  const versions = (reader: EventReader | undefined) =>
    reader?.events.filter(({ kind }) => kind === 'contact.changed').map(({ data }) => (data as Body).version);
  await expect.poll(() => readers.map(versions)).toEqual([[2, 3], [3]]);
  for (const reader of readers) await reader.close();
  expect(await idsOf('/contacts?q=quiet', ofFront)).toEqual([]);
});

test('an import that names a further number of a contact changes the rest of it and keeps its numbers', async () => {
  const [first, further] = ['+12065550180', '+12065550181'];
  const { id } = await create({ name: 'Two Lines', fax_number: first, other_fax_numbers: [further] });
  expect(await importCsv(`Name,Fax\nThree Lines,${further}\n`)).toMatchObject({ changed: 1, left_out: 0 });
  expect((await request('GET', `/contacts/${id}`))[1]).toMatchObject({
    name: 'Three Lines',
    fax_number: first,
    other_fax_numbers: [further],
  });
});
