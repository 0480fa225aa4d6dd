import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Person } from '../setup/mailbox-people.ts';
import { SECOND } from '../setup/manual-clock.ts';
import { listen } from './console-stream.ts';
import { READER, WorkGateway } from './work-setup.ts';

interface Shown {
  readonly faxes: readonly {
    readonly id: string;
    readonly people: readonly { readonly name: string; readonly since: string }[];
  }[];
}

let office: WorkGateway;
let ada: Person;
let ben: Person;
let carl: Person;
let robot: Person;
let fax: string;

beforeAll(async () => {
  office = await WorkGateway.start();
  ada = await office.people.addUser('Ada', { 'mailbox:ward': READER });
  ben = await office.people.addUser('Ben', { 'mailbox:ward': READER });
  carl = await office.people.addUser('Carl', { 'mailbox:lab': READER });
  robot = await office.people.addPerson({ 'mailbox:ward': READER });
});
beforeEach(async () => {
  office.clock.advance(60 * SECOND);
  fax = (await office.arrive('ward')).inbound_fax_id;
});
afterAll(() => office.inbound.gateway.close());

const report = (person: Person | undefined, fax_id: string | null, window = 'window-one') =>
  office.request('PUT', '/presence', person, { window, fax_id });

async function shownTo(person: Person): Promise<Record<string, string[]>> {
  const answer = await office.request('GET', '/presence', person);
  expect(answer.status).toBe(200);
  const { faxes } = (await answer.json()) as Shown;
  return Object.fromEntries(faxes.map(({ id, people }) => [id, people.map(({ name }) => name)]));
}

test('rule (presence): shows a person who else has a fax open, and not themselves', async () => {
  const answer = await report(ada, fax);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({ faxes: [] });
  expect(await shownTo(ben)).toEqual({ [fax]: ['Ada'] });
  office.clock.advance(SECOND);
  const { faxes } = (await (await report(ben, fax)).json()) as Shown;
  expect(faxes.map(({ people }) => people.map(({ name }) => name))).toEqual([['Ada']]);
  expect(await shownTo(ada)).toEqual({ [fax]: ['Ben'] });
});

test('rule (presence): is seen only by people who may see the fax, and is of people only', async () => {
  await report(ada, fax);
  expect(await shownTo(carl)).toEqual({});
  expect(await shownTo(robot)).toEqual({});
  const hidden = await report(carl, fax);
  expect([hidden.status, hidden.headers.get('X-Error-Code')]).toEqual([404, 'no_such_received_fax']);
  const refused = await report(robot, fax);
  expect([refused.status, refused.headers.get('X-Error-Code')]).toEqual([403, 'not_allowed']);
  expect((await report(undefined, fax)).status).toBe(403);
  expect(await shownTo(ben)).toEqual({ [fax]: ['Ada'] });
});

test('forgets a person who leaves, whose window stops reporting, and who may not see the fax any more', async () => {
  await report(ada, fax);
  await report(ada, null);
  expect(await shownTo(ben)).toEqual({});

  await report(ada, fax);
  office.clock.advance(20 * SECOND);
  await report(ada, fax);
  office.clock.advance(20 * SECOND);
  expect(await shownTo(ben)).toEqual({ [fax]: ['Ada'] });
  office.clock.advance(6 * SECOND);
  expect(await shownTo(ben)).toEqual({});

  await report(ada, fax);
  await office.people.grant(ada.id, { 'mailbox:lab': READER });
  await expect.poll(async () => (await report(ada, fax)).status).toBe(404);
  expect(await shownTo(ben)).toEqual({});
  await office.people.grant(ada.id, { 'mailbox:ward': READER });
  await expect.poll(async () => (await report(ada, null)).status).toBe(200);
});

test('counts a person once, in whatever number of windows, and since the first', async () => {
  await report(ada, fax, 'window-one');
  const since = new Date(office.clock.now()).toISOString();
  office.clock.advance(SECOND);
  await report(ada, fax, 'window-two');
  const answer = await office.request('GET', '/presence', ben);
  expect(((await answer.json()) as Shown).faxes).toEqual([
    { id: fax, people: [{ id: ada.id, name: 'Ada', since }] },
  ]);
  await report(ada, null, 'window-one');
  expect(await shownTo(ben)).toEqual({ [fax]: ['Ada'] });
  await report(ada, null, 'window-two');
  expect(await shownTo(ben)).toEqual({});
});

test('shows at most twenty windows of one person', async () => {
  const faxes: string[] = [];
  for (let n = 0; n < 21; n += 1) {
    const { inbound_fax_id: id } = await office.arrive('ward');
    faxes.push(id);
  }
  office.clock.advance(SECOND);
  for (const [n, id] of faxes.entries()) await report(ada, id, `window-${n}`.padEnd(10, '-'));
  const shown = Object.keys(await shownTo(ben));
  expect(shown.toSorted()).toEqual(faxes.slice(1).toSorted());
});

test('reports each change to people who may see the fax, through the stream and the polled changes', async () => {
  const { gateway } = office.inbound;
  const after = async (person: Person) =>
    (
      (await (await gateway.request('GET', '/console/changes', { key: person.key })).json()) as {
        next: string;
      }
    ).next;
  const positions = new Map<Person, string>();
  for (const person of [ben, carl, robot]) positions.set(person, await after(person));
  const stream = await listen(gateway, { key: ben.key });
  try {
    await report(ada, fax);
    await report(ada, fax);
    office.clock.advance(30 * SECOND);
    await gateway.processAll();
    const kinds = () =>
      stream.events
        .filter(({ kind, data }) => kind === 'presence.changed' && (data as { id: string }).id === fax)
        .map(({ kind, data }) => `${kind} ${(data as { id: string }).id}`);
    const changes = [`presence.changed ${fax}`, `presence.changed ${fax}`];
    // It was opened, and forgotten: a repeated report changes nothing.
    await expect.poll(kinds).toEqual(changes);
    const polled = async (person: Person) => {
      const path = `/console/changes?after=${positions.get(person)}`;
      const answer = await gateway.request('GET', path, { key: person.key });
      const { events } = (await answer.json()) as { events: { kind: string; data: { id: string } }[] };
      return events
        .filter(({ kind, data }) => kind === 'presence.changed' && data.id === fax)
        .map(({ kind, data }) => `${kind} ${data.id}`);
    };
    expect(await polled(ben)).toEqual(changes);
    expect(await polled(carl)).toEqual([]);
    expect(await polled(robot)).toEqual([]);
  } finally {
    await stream.close();
  }
});

test('rule (presence): locks nothing, and is in no audit entry, evidence or history', async () => {
  const item = (await office.list('?limit=1'))[0];
  if (!item) throw new Error('no item');
  const audited = async () => {
    const answer = await office.request('GET', '/access/audit?limit=200');
    expect(answer.status).toBe(200);
    const { items } = (await answer.json()) as { items: { operation: string; target: unknown }[] };
    expect(JSON.stringify(items)).not.toContain(fax);
    return new Set(items.map(({ operation }) => operation));
  };
  const before = [await audited(), await office.kinds(item.id)];
  await report(ada, fax);
  await report(carl, fax);
  await report(robot, fax);
  const evidence = await office.request('GET', `/inbound/${fax}/evidence`, ada);
  expect(await evidence.text()).not.toContain('Ada');
  expect([await audited(), await office.kinds(item.id)]).toEqual(before);
  const manager = await office.people.addUser('Dora', { 'mailbox:ward': [...READER, 'work:manage'] });
  expect(await office.assign(item, manager, manager)).toMatchObject({ status: 200 });
  expect(await office.assign(item, ben, manager)).toMatchObject({ status: 409, code: 'work_item_changed' });
});
