import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Person } from '../setup/mailbox-people.ts';
import { DAY } from '../setup/manual-clock.ts';
import { MANAGER, READER, WorkGateway } from './work-setup.ts';

let office: WorkGateway;
let ada: Person;
let carl: Person;
let done: string;
let named: string;
let other: string;

beforeAll(async () => {
  office = await WorkGateway.start({ settings: { TIME_ZONE: 'UTC', FAX_DEFAULT_COUNTRY: 'US' } });
  ada = await office.people.addUser('Ada', { 'mailbox:ward': MANAGER, installation: ['contacts:read'] });
  carl = await office.people.addUser('Carl', { 'mailbox:lab': READER });
  const first = await office.arrive('ward', { from: '+13605550111' });
  done = first.id;
  await office.act('done', first, ada, { note: 'Filed in the chart of Mr. 100% Nilsen' });
  office.clock.advance(DAY);
  named = (await office.arrive('ward', { from: '+13605550122' })).id;
  const contact = await office.request('POST', '/contacts', undefined, {
    name: 'Lakeside Pharmacy',
    fax_number: '+13605550122',
  });
  expect(contact.status).toBe(201);
  other = (await office.arrive('lab', { from: '+13605550133' })).id;
});
afterAll(() => office.inbound.gateway.close());

const find = async (q: string, person?: Person, more = '') =>
  (await office.list(`?q=${encodeURIComponent(q)}${more}`, person)).map(({ id }) => id);

test('rule (work): a search finds items by number, contact, note, mailbox and day', async () => {
  expect(await find('5550122')).toEqual([named]);
  expect(await find('360 555 0133')).toEqual([other]);
  expect(await find('lakeside', ada)).toEqual([named]);
  expect(await find('CHART of mr')).toEqual([done]);
  expect(await find('lab')).toEqual([other]);
  expect(await find('11/21/2026')).toEqual([done]);
  expect((await find('2026-11-22')).toSorted()).toEqual([named, other].toSorted());
  expect(await find('nobody of this name')).toEqual([]);
  expect(await find('  ')).toHaveLength(3);
});

test('rule (work): a search finds nothing that the caller may not see', async () => {
  expect(await find('chart', carl)).toEqual([]);
  expect(await find('ward', carl)).toEqual([]);
  expect(await find('lab', carl)).toEqual([other]);
  // Names of contacts are found only by callers who may see contacts.
  expect(await find('lakeside', carl)).toEqual([]);
});

test('rule (work): a search finds notes that did not finish the fax, and none that was taken back', async () => {
  const noted = await office.act('notes', await office.item(named, ada), ada, {
    note: 'Called about 50% of PAGE two',
  });
  expect(noted.status).toBe(200);
  expect(await find('about 50% of page', ada)).toEqual([named]);
  expect(await find('about 50_ of page', ada)).toEqual([]);
  expect(await find('page two', carl)).toEqual([]);
  // The name of the writer is no part of the note.
  expect(await find('ada noted', ada)).toEqual([]);
  expect((await office.act('undo', noted, ada)).status).toBe(200);
  expect(await find('page two', ada)).toEqual([]);
});

test('what is typed is no pattern', async () => {
  expect(await find('100% nilsen')).toEqual([done]);
  expect(await find('10_% nilsen')).toEqual([]);
  expect(await find('%')).toEqual([done]);
});

test('finished items are found with the other filters of the list, and reopened', async () => {
  expect(await find('3605550', ada, '&state=done')).toEqual([done]);
  expect(await find('3605550', ada, '&view=done')).toEqual([done]);
  expect(await find('nilsen', carl, '&view=done')).toEqual([]);
  expect(await find('3605550', ada, '&view=done&state=open')).toEqual([]);
  expect(await find('3605550', ada, '&state=open')).toEqual([named]);
  const item = await office.item(done, ada);
  expect(item.actions).toContain('reopen');
  expect(await office.act('reopen', item, ada)).toMatchObject({ status: 200, state: 'open' });
  expect(await find('3605550', ada, '&state=done')).toEqual([]);
});

test('received and sent faxes are found by day as well, and received ones by mailbox', async () => {
  const { gateway } = office.inbound;
  const sent = await gateway.send({ to: '+12025550144' });
  const list = async (path: string, person?: Person): Promise<string[]> => {
    const answer = await office.request('GET', path, person);
    expect(answer.status).toBe(200);
    const { items } = (await answer.json()) as { items: { id: string }[] };
    return items.map(({ id }) => id);
  };
  const faxOf = async (id: string) => (await office.item(id)).inbound_fax_id;
  expect(await list('/inbound/page?q=11/21/2026')).toEqual([await faxOf(done)]);
  expect(await list('/inbound/page?q=lab')).toEqual([await faxOf(other)]);
  expect(await list('/inbound/page?q=lab', ada)).toEqual([]);
  expect(await list('/inbound/page?q=ward', carl)).toEqual([]);
  expect(await list('/fax?q=2026-11-22')).toEqual([sent.id]);
  expect(await list('/fax?q=2026-11-21')).toEqual([]);
});
