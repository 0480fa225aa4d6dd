import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../server/db/database.ts';
import { listKey } from '../../server/features/work/store/list-key.ts';
import { WORK_STATE_KEYS } from '../../shared/states/work.ts';
import { inboundRow } from '../setup/inbound-rows.ts';
import type { Person } from '../setup/mailbox-people.ts';
import { HOUR, SECOND } from '../setup/manual-clock.ts';
import { ONE_PAGE } from './inbound-setup.ts';
import { MANAGER, NUMBERS, READER, WorkGateway } from './work-setup.ts';

let work: WorkGateway;
let ada: Person;
let ben: Person;
let viewer: Person;
let stranger: Person;
beforeAll(async () => {
  work = await WorkGateway.start();
  ada = await work.people.addUser('Ada', { 'mailbox:ward': MANAGER });
  ben = await work.people.addUser('Ben', { 'mailbox:ward': READER });
  viewer = await work.people.addUser('Vic', { 'mailbox:ward': READER });
  stranger = await work.people.addUser('Sam', { 'mailbox:lab': MANAGER });
});
afterAll(() => work.close());

describe('a filed document', () => {
  test('has one work item that waits for an owner, and is named by it', async () => {
    const item = await work.arrive('ward');
    expect(item).toMatchObject({
      state: 'open',
      state_key: 'waiting',
      state_text: 'Waiting for an owner',
      due_at: null,
      due_text: null,
      owner: null,
      backup: null,
      mailbox: 'ward',
      to_number: NUMBERS.ward,
      pages: 1,
      duplicate_of: null,
      is_mine: false,
      is_test: false,
      overdue: false,
      owner_can_see: null,
      version: 1,
      actions: ['assign', 'done'],
    });
    expect(await work.history(item.id)).toMatchObject([
      {
        kind: 'created',
        actor: 'Faxdesk',
        text: 'The document arrived and waits for an owner. It has no acknowledgement target.',
      },
    ]);
  });

  test('names how it came to its present owner, to each caller from their own view', async () => {
    const item = await work.arrive('ward');
    expect(item).toMatchObject({ owner_change: null });
    const given = await work.assign(item, ben, ada);
    const at = new Date(work.clock.now()).toISOString();
    expect(await work.item(item.id, ben)).toMatchObject({
      owner_change: { at, by: 'Ada', by_me: false, from_me: false },
    });
    expect(await work.item(item.id, ada)).toMatchObject({ owner_change: { by_me: true } });
    work.clock.advance(SECOND);
    expect(await work.assign(given, ada, ada)).toMatchObject({ status: 200 });
    expect(await work.item(item.id, ben)).toMatchObject({
      owner_change: { by: 'Ada', by_me: false, from_me: true },
    });
  });

  test('keeps its one item when the provider notifies again and the gateway starts again', async () => {
    const item = await work.arrive('ward');
    const [before] = await work.inbound.list('?limit=1');
    const fax = work.inbound.gateway.emulator.faxes.get(before?.provider_fax_id ?? '');
    if (!fax) throw new Error('the fax is not at the provider');
    work.clock.advance(HOUR);
    await work.inbound.notify(fax);
    work = await work.restart();
    expect((await work.list()).filter(({ inbound_fax_id }) => inbound_fax_id === before?.id)).toHaveLength(1);
    expect(await work.item(item.id)).toEqual(item);
    expect(await work.kinds(item.id)).toEqual(['created']);
  });

  test('that came before has an item of its own, which names the first one to who sees that', async () => {
    const document = Buffer.concat([ONE_PAGE, Buffer.from('\n% twice\n')]);
    const first = await work.arrive('lab', { document });
    const second = await work.arrive('ward', { document });
    expect(second.duplicate_of).toEqual({ id: first.id, available_at: first.available_at });
    expect((await work.item(second.id, ben)).duplicate_of).toBeNull();
    expect((await work.history(second.id))[0]?.text).toContain('The same document arrived before.');
  });

  test('of a test fax is marked', async () => {
    const made = await work.request('POST', '/inbound/test', undefined, {});
    const { work_item_id } = (await made.json()) as { work_item_id: string };
    expect(await work.item(work_item_id)).toMatchObject({ is_test: true, mailbox: null });
  });

  test('shows no item to people who may see the fax, and not the queue', async () => {
    const item = await work.arrive('ward');
    const reader = await work.people.addPerson({ 'mailbox:ward': ['inbound:list', 'inbound:read'] });
    const [fax] = await work.inbound.list('?limit=1', reader.key);
    expect(fax).toMatchObject({ id: item.inbound_fax_id, work_item_id: null });
    expect((await work.request('GET', '/work', reader)).status).toBe(403);
  });
});

describe('who sees an item', () => {
  test('is who holds work:read on everything, its mailbox or its document; all others find nothing', async () => {
    const item = await work.arrive('ward');
    const one = await work.people.addUser('One', { [`inbound:${item.inbound_fax_id}`]: READER });
    const both = await work.people.addUser('Two', {
      [`inbound:${item.inbound_fax_id}`]: READER,
      'mailbox:ward': READER,
    });
    expect((await work.list('', one)).map(({ id }) => id)).toEqual([item.id]);
    expect((await work.list('', both)).filter(({ id }) => id === item.id)).toHaveLength(1);
    expect(await work.counts(one)).toMatchObject({ open: 1, unassigned: 1 });
    expect((await work.counts(both)).open).toBe((await work.counts(ben)).open);
    expect((await work.list('', stranger)).map(({ mailbox }) => mailbox)).not.toContain('ward');
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['GET', '/history', undefined],
      ['GET', '/assignees', undefined],
      ['POST', '/assign', { principal_id: stranger.id, version: 1 }],
      ['POST', '/acknowledge', { version: 1 }],
      ['POST', '/done', { note: 'no', version: 1 }],
      ['POST', '/reopen', { version: 1 }],
    ] as const) {
      const hidden = await work.request(method, `/work/${item.id}${path}`, stranger, body);
      const missing = await work.request(method, `/work/no-such-item${path}`, stranger, body);
      expect([path, hidden.status, await hidden.text()]).toEqual([path, 404, await missing.text()]);
    }
  });

  test('follows the fax into another mailbox, with a history entry', async () => {
    const item = await work.arrive('nowhere');
    expect(await work.list(`?ids=${item.id}`, ada)).toEqual([]);
    const moved = await work.request('POST', `/inbound/${item.inbound_fax_id}/move`, undefined, {
      mailbox: 'ward',
    });
    expect(moved.status).toBe(200);
    expect(await work.list(`?ids=${item.id}`, ada)).toMatchObject([{ mailbox: 'ward', version: 2 }]);
    expect((await work.history(item.id)).at(-1)).toMatchObject({
      kind: 'moved',
      text: expect.stringMatching(/ moved the fax from no mailbox to ward\.$/u) as string,
    });
  });
});

describe('an item goes its way', () => {
  test('from hand to hand to done and back, and its history names each owner', async () => {
    const item = await work.arrive('ward');
    const taken = await work.assign(item, ada, ada);
    expect(taken).toMatchObject({
      status: 200,
      state_key: 'assigned',
      owner: { id: ada.id, name: 'Ada' },
      is_mine: true,
      actions: ['assign', 'acknowledge', 'done'],
      version: 2,
    });
    const acknowledged = await work.act('acknowledge', taken, ada);
    expect(acknowledged).toMatchObject({ state: 'acknowledged', acknowledged_by: 'Ada', version: 3 });
    const given = await work.assign(acknowledged, ben, ada);
    expect(given).toMatchObject({ state_key: 'assigned', acknowledged_by: null, acknowledged_at: null });
    const done = await work.act('done', given, ben, { note: 'Filed in the chart.' });
    expect(done).toMatchObject({
      state: 'done',
      done_by: 'Ben',
      done_note: 'Filed in the chart.',
      actions: [],
    });
    const reopened = await work.act('reopen', done, ada);
    expect(reopened).toMatchObject({ state_key: 'assigned', owner: { name: 'Ben' }, done_note: null });
    expect((await work.history(item.id)).map(({ text }) => text)).toEqual([
      'The document arrived and waits for an owner. It has no acknowledgement target.',
      'Ada took it.',
      'Ada acknowledged it.',
      'Ada reassigned it from Ada to Ben. The acknowledgement was cleared.',
      'Ben marked it as done: Filed in the chart.',
      'Ada reopened it.',
    ]);
  });

  test('only to people who can see the document, and the present owner again changes nothing', async () => {
    const item = await work.arrive('ward');
    const people = await work.request('GET', `/work/${item.id}/assignees`, ada);
    const { people: able } = (await people.json()) as { people: { id: string; name: string }[] };
    expect(able.map(({ name }) => name)).toEqual(expect.arrayContaining(['Ada', 'Ben', 'Vic']));
    expect(able.map(({ id }) => id)).not.toContain(stranger.id);
    expect(await work.assign(item, stranger, ada)).toMatchObject({
      status: 400,
      code: 'assignee_refused',
      detail:
        'Sam cannot be assigned this: they cannot see it, are disabled, or have not set their own password.',
    });
    expect(await work.assign(item, { id: 'nobody', key: '' }, ada)).toMatchObject({
      status: 400,
      detail: 'There is no such person.',
    });
    expect((await work.request('GET', `/work/${item.id}/assignees`, viewer)).status).toBe(403);
    const given = await work.assign(item, ben, ada);
    expect(await work.assign(given, ben, ada)).toMatchObject({ status: 200, version: given.version });
    expect(await work.kinds(item.id)).toEqual(['created', 'assigned']);
  });

  test('stays with an owner who lost access, for a manager to reassign', async () => {
    const item = await work.arrive('ward');
    const leaver = await work.people.addUser('Lea', { 'mailbox:ward': READER });
    const given = await work.assign(item, leaver, ada);
    expect(await work.list('?view=mine', leaver)).toMatchObject([{ id: item.id }]);
    await work.people.grant(leaver.id, { 'mailbox:lab': READER });
    expect(await work.list('?view=mine', leaver)).toEqual([]);
    expect((await work.counts(leaver)).mine).toBe(0);
    expect((await work.act('acknowledge', given, leaver)).status).toBe(404);
    expect(await work.item(item.id, ada)).toMatchObject({ owner: { name: 'Lea' }, owner_can_see: false });
    expect((await work.assign(given, ben, ada)).status).toBe(200);
  });

  test('is changed by nobody who saw an older version', async () => {
    const item = await work.arrive('ward');
    await work.assign(item, ben, ada);
    const stale = {
      status: 409,
      code: 'work_item_changed',
      detail: 'This item changed; reload and try again.',
    };
    expect(await work.assign(item, ada, ada)).toMatchObject(stale);
    expect(await work.act('acknowledge', item, ben)).toMatchObject(stale);
    expect(await work.act('done', item, ada, { note: 'done' })).toMatchObject(stale);
    expect(await work.act('reopen', item, ada)).toMatchObject(stale);
    expect(await work.kinds(item.id)).toEqual(['created', 'assigned']);
  });

  test.each(['', ' ', 'x'.repeat(201), 'two\nlines'])('is not done with the note %j', async (note) => {
    const [item] = await work.list('?view=unassigned&limit=1', ada);
    if (!item) throw new Error('nothing is open');
    expect((await work.act('done', item, ada, { note })).status).toBe(422);
  });
});

describe('the list', () => {
  test('has open items first, by due time and then the newest, and goes on page by page', async () => {
    await work.setMailbox('lab', { acknowledge_hours: 4 });
    await work.inbound.gateway.set({ WORK_ACKNOWLEDGE_HOURS: 1 });
    const late = await work.arrive('lab');
    const soon = await work.arrive('ward');
    await work.inbound.gateway.set({ WORK_ACKNOWLEDGE_HOURS: 0 });
    const whole = await work.list('?limit=200');
    expect(whole.slice(0, 2).map(({ id }) => id)).toEqual([soon.id, late.id]);
    const rest = whole.filter(({ state, due_at }) => state === 'open' && due_at === null);
    const times = rest.map(({ available_at }) => available_at);
    expect(times).toEqual(times.toSorted().toReversed());
    const states = whole.map(({ state }) => ['open', 'acknowledged', 'done'].indexOf(state));
    expect(states).toEqual(states.toSorted((a, b) => a - b));
    const paged: string[] = [];
    for (let cursor = ''; ; ) {
      const answer = await work.request('GET', `/work?limit=3${cursor}`);
      const page = (await answer.json()) as { items: { id: string }[]; next_cursor: string | null };
      paged.push(...page.items.map(({ id }) => id));
      if (page.next_cursor === null) break;
      cursor = `&cursor=${page.next_cursor}`;
    }
    expect(paged).toEqual(whole.map(({ id }) => id));
  });

  test('is cut by view, state and mailbox, and the counts agree with it', async () => {
    const item = await work.arrive('ward');
    const mine = await work.act('acknowledge', await work.assign(item, ben, ada), ben);
    const finished = await work.arrive('ward');
    await work.act('done', finished, ada, { note: 'Nothing to do.' });
    const counts = await work.counts(ben);
    const count = async (query: string) => (await work.list(`${query}&limit=200`, ben)).length;
    expect(counts).toEqual({
      open: await count('?state=open'),
      acknowledged: await count('?state=acknowledged'),
      done: await count('?state=done'),
      unassigned: await count('?view=unassigned'),
      mine: await count('?view=mine&state=open,acknowledged'),
      overdue: await count('?view=overdue'),
      todo: await count('?view=todo'),
    });
    expect(await work.list('?view=mine&state=acknowledged', ben)).toMatchObject([{ id: mine.id }]);
    const all = await work.list('?limit=200', ben);
    for (const key of WORK_STATE_KEYS)
      expect((await work.list(`?state=${key}&limit=200`, ben)).map(({ id }) => id)).toEqual(
        all.filter(({ state_key }) => state_key === key).map(({ id }) => id),
      );
    const some = all.filter(({ state_key: key }) => key === 'waiting' || key === 'done');
    expect((await work.list('?state=waiting,done&limit=200', ben)).map(({ id }) => id)).toEqual(
      some.map(({ id }) => id),
    );
    expect(await work.list('?view=unassigned&state=assigned', ben)).toEqual([]);
    expect((await work.list('?view=unassigned', ben)).every(({ owner }) => owner === null)).toBe(true);
    expect(await work.list('?mailbox=lab', ben)).toEqual([]);
    expect(await work.list('?mailbox=none')).toEqual([]);
    expect((await work.list('?mailbox=lab')).every(({ mailbox }) => mailbox === 'lab')).toBe(true);
  });
});

test('more than a thousand items are counted as they are', async () => {
  const { id } = await work.arrive('lab');
  const before = await work.counts();
  const file = join(work.inbound.gateway.dataFolder, 'faxdesk.sqlite');
  const db = openDatabase({ postgresUrl: null, sqliteFile: file });
  try {
    const item = await db.read
      .selectFrom('work_item')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    await db.transaction(async (tx) => {
      for (let more = 0; more < 1_100; more += 1) {
        const copy = { id: `copy-${more}`, inbound_fax_id: `copied-${more}` };
        await tx
          .insertInto('inbound_fax')
          .values(inboundRow({ id: copy.inbound_fax_id }))
          .execute();
        await tx
          .insertInto('work_item')
          .values({ ...item, ...copy, list_key: listKey({ ...item, ...copy }) })
          .execute();
      }
    });
    expect(await work.counts()).toEqual({
      ...before,
      open: before.open + 1_100,
      unassigned: before.unassigned + 1_100,
      todo: before.todo + 1_100,
    });
  } finally {
    await db.unrestricted.deleteFrom('work_item').where('id', 'like', 'copy-%').execute();
    await db.unrestricted.deleteFrom('inbound_fax').where('id', 'like', 'copied-%').execute();
    await db.close();
  }
});

test('consoles of people who may see an item receive its changes', async () => {
  const ask = async (path: string, person: Person) =>
    (await (await work.request('GET', path, person)).json()) as { next: string; events: { kind: string }[] };
  const [adas, strangers] = [await ask('/console/changes', ada), await ask('/console/changes', stranger)];
  const item = await work.arrive('ward');
  await work.assign(item, ben, ada);
  const after = ({ next }: { next: string }) => `/console/changes?after=${encodeURIComponent(next)}`;
  const heard = (await ask(after(adas), ada)).events.filter(({ kind }) => kind === 'work.changed');
  expect(heard).toMatchObject([
    { kind: 'work.changed', data: { id: item.id, version: 1 } },
    { kind: 'work.changed', data: { id: item.id, version: 2 } },
  ]);
  expect((await ask(after(strangers), stranger)).events).toEqual([]);
});

describe('targets and backup people', () => {
  const put = (person: Person | undefined, mailboxes: readonly object[]) =>
    work.request('PUT', '/work/settings', person, { mailboxes });
  const mailbox = async (id: string) =>
    (await work.settings()).mailboxes.find(({ mailbox_id }) => mailbox_id === id);

  test('are set by who manages mailboxes, all or nothing, and recorded', async () => {
    const before = { ward: await mailbox('ward'), lab: await mailbox('lab') };
    const ward = {
      mailbox_id: 'ward',
      acknowledge_hours: 8,
      backup_principal_id: ben.id,
      version: before.ward?.version,
    };
    expect((await put(ada, [ward])).status).toBe(403);
    const lab = { ...ward, mailbox_id: 'lab', version: before.lab?.version };
    const refused = await put(undefined, [ward, lab]);
    expect([refused.status, refused.headers.get('X-Error-Code')]).toEqual([400, 'assignee_refused']);
    expect(await mailbox('ward')).toEqual(before.ward);
    expect((await put(undefined, [ward])).status).toBe(200);
    expect(await mailbox('ward')).toMatchObject({ acknowledge_hours: 8, backup: { name: 'Ben' } });
    const stale = await put(undefined, [ward]);
    expect([stale.status, stale.headers.get('X-Error-Code')]).toEqual([409, 'work_item_changed']);
    expect((await put(undefined, [{ ...ward, mailbox_id: 'none' }])).status).toBe(404);
    const audit = await work.request(
      'GET',
      '/access/audit?operation=work_settings.change&outcome=done&limit=1',
    );
    expect(((await audit.json()) as { items: unknown[] }).items).toMatchObject([
      {
        target: { kind: 'mailbox', id: 'ward' },
        details: { mailbox: 'ward', acknowledge_hours: { to: 8 }, backup: { from: null, to: 'Ben' } },
      },
    ]);
  });

  test.each([-1, 8_761, 1.5])('are no target of %j hours', async (acknowledge_hours) => {
    const one = { mailbox_id: 'ward', acknowledge_hours, backup_principal_id: null, version: 1 };
    expect((await put(undefined, [one])).status).toBe(422);
  });
});

test('changed items are found by the time of their change, by anybody who can see them', async () => {
  const old = await work.arrive('ward');
  const other = await work.arrive('ward');
  work.clock.advance(3 * HOUR);
  const since = new Date(work.clock.now()).toISOString();
  const changed = async (query = '', person?: Person) =>
    (await work.list(`?updated_since=${since}${query}`, person)).map(({ id }) => id);
  expect(await changed()).toEqual([]);
  await work.assign(old, ben, ada);
  const added = await work.arrive('ward');
  expect((await changed()).sort()).toEqual([old.id, added.id].sort());
  expect(await changed('&view=unassigned')).toEqual([added.id]);
  expect(await changed(`&ids=${other.id},${old.id}`)).toEqual([old.id]);
  expect(await changed('', stranger)).toEqual([]);
});
