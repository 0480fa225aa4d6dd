import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FaxJobTable } from '../../server/db/schema/outbound.ts';
import { type JobFilter, listJobs } from '../../server/features/outbound/store/job-list.ts';
import { insertJob } from '../../server/features/outbound/store/job-store.ts';
import { countByState } from '../../server/features/outbound/store/state-counts.ts';
import {
  findVisibleNumber,
  listReachedVisibly,
  listVisibleNumbers,
} from '../../server/features/outbound/store/visible-numbers.ts';
import type { SentScope } from '../../server/features/outbound/types.ts';
import { faxRow } from '../setup/outbound-rows.ts';
import { openStore, STORES, type TestStore } from '../setup/stores.ts';
import { fillUp, planOf } from './outbound-query-plans.ts';

const FAXES = 240;
const NUMBERS = ['+12025550101', '+12025550102', '+12025550103', '+12025550104', '+12025550105'];
const SCOPE = { personId: 'anna', ownMailboxIds: null, mailboxIds: ['cardiology', 'surgery'] };
const timeOf = (minute: number) => new Date(Date.UTC(2026, 10, 21, 9, minute)).toISOString();

let store: TestStore;
let rows: FaxJobTable[];

function rowsToSee(): FaxJobTable[] {
  return Array.from({ length: FAXES }, (_, i) =>
    faxRow({
      // Three faxes share each time, so that the id has to part them.
      created_at: timeOf(Math.floor(i / 3)),
      created_by: ['anna', 'bert', 'carl'][i % 3] ?? '',
      mailbox_id: [null, 'cardiology', 'surgery', 'archive'][Math.floor(i / 3) % 4] ?? null,
      delivery_state: i % 5 === 0 ? 'failed' : 'success',
      to_number: NUMBERS[i % 5] ?? '',
      search_text: i % 7 === 0 ? 'referral.pdf' : 'letter.pdf',
    }),
  );
}

const isVisible = ({ created_by, mailbox_id }: FaxJobTable) =>
  created_by === SCOPE.personId || SCOPE.mailboxIds.includes(mailbox_id ?? '');

const idsOf = (wanted: (row: FaxJobTable) => boolean) =>
  rows
    .filter((row) => isVisible(row) && wanted(row))
    .sort((a, b) => b.created_at.localeCompare(a.created_at) || b.id.localeCompare(a.id))
    .map(({ id }) => id);

const LIVE = { isTest: false, most: 1_000 };

async function countAll(scope: SentScope, ownOf?: string): Promise<number> {
  const counts = await countByState(store.db.read, { scope, ...LIVE, ...(ownOf !== undefined && { ownOf }) });
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

async function readAll(filter: JobFilter): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listJobs(store.db.read, { ...filter, scope: SCOPE, cursor });
    ids.push(...page.items.map((row) => row.id));
    cursor = page.next_cursor ?? undefined;
  } while (cursor);
  return ids;
}

const FILTERS: [Omit<JobFilter, 'limit'>, (row: FaxJobTable) => boolean][] = [
  [{}, () => true],
  [{ states: ['failed'] }, (row) => row.delivery_state === 'failed'],
  [{ states: ['failed', 'success', 'held'] }, () => true],
  [{ to: '+12025550102' }, (row) => row.to_number === '+12025550102'],
  [{ createdBy: 'anna' }, (row) => row.created_by === 'anna'],
  [{ createdBy: 'bert' }, (row) => row.created_by === 'bert'],
  [
    { createdBy: 'bert', states: ['failed'], to: '+12025550101' },
    (row) => row.created_by === 'bert' && row.to_number === '+12025550101',
  ],
  [{ texts: ['referral'] }, (row) => row.search_text === 'referral.pdf'],
  [{ until: timeOf(40), since: timeOf(10) }, (row) => isBetween(row.created_at, 10, 40)],
];
const isBetween = (at: string, from: number, to: number) => at >= timeOf(from) && at < timeOf(to);

const SEARCHES = FILTERS.map(([filter, fits]): (typeof FILTERS)[number] => [
  { ...filter, texts: ['referral'] },
  (row) => fits(row) && row.search_text === 'referral.pdf',
]);

describe.each(STORES)('faxes that a person may see in %s', (name) => {
  beforeAll(async () => {
    store = await openStore(name);
    rows = rowsToSee();
    await store.db.transaction(async (tx) => {
      for (const row of rows) await insertJob(tx, row);
    });
  });
  afterAll(() => store.close());

  test.each(FILTERS)('are listed each once, newest first, with %j', async (filter, wanted) => {
    const ids = idsOf(wanted);
    expect(ids.length).toBeGreaterThan(5);
    for (const limit of [7, 200]) expect(await readAll({ ...filter, limit })).toEqual(ids);
  });

  test.each(SEARCHES)(
    'are all found by a search that looks through few at a time, with %j',
    async (filter, wanted) => {
      const ids = idsOf(wanted);
      for (const lookThrough of [1, 20, 1_000])
        expect(await readAll({ ...filter, limit: 7, lookThrough })).toEqual(ids);
    },
  );

  test('are looked through in steps, and the cursor goes on where nothing was found', async () => {
    const nowhere = { scope: null, texts: ['nowhere'], limit: 7, lookThrough: 100 };
    const pages: number[] = [];
    let cursor: string | undefined;
    do {
      const page = await listJobs(store.db.read, { ...nowhere, cursor });
      pages.push(page.items.length);
      cursor = page.next_cursor ?? undefined;
    } while (cursor);
    expect(pages).toEqual([0, 0, 0]);
  });

  test('are those of one’s own where no mailbox is open', async () => {
    const scope = { personId: 'anna', ownMailboxIds: null, mailboxIds: [] };
    const own = rows.filter(({ created_by }) => created_by === 'anna').length;
    expect((await listJobs(store.db.read, { scope, limit: 200 })).items).toHaveLength(own);
    expect(await countAll(scope)).toBe(own);
    const none = { scope: { personId: 'dora', ownMailboxIds: null, mailboxIds: [] }, limit: 5 };
    expect(await listJobs(store.db.read, none)).toEqual({ items: [], next_cursor: null });
    const theirs = { ...none, createdBy: 'anna' };
    expect(await listJobs(store.db.read, theirs)).toEqual({ items: [], next_cursor: null });
  });

  test('are of one’s own only those of the mailboxes that a key reaches', async () => {
    const scope = { personId: 'anna', ownMailboxIds: ['archive'], mailboxIds: ['surgery'] };
    const seen = rows.filter(
      (row) => row.mailbox_id === 'surgery' || (row.created_by === 'anna' && row.mailbox_id === 'archive'),
    );
    const listed = await listJobs(store.db.read, { scope, limit: 200 });
    expect(listed.items.map(({ id }) => id).sort()).toEqual(seen.map(({ id }) => id).sort());
    expect(await countAll(scope)).toBe(seen.length);
    const reaching = { ...scope, ownMailboxIds: [], mailboxIds: [] };
    expect((await listJobs(store.db.read, { scope: reaching, limit: 200 })).items).toEqual([]);
    expect(await countAll(reaching)).toBe(0);
    expect(await listReachedVisibly(store.db.read, reaching, NUMBERS, 1)).toEqual([]);
    const archived = { ...scope, mailboxIds: [] };
    expect(await listReachedVisibly(store.db.read, archived, NUMBERS, 1)).toHaveLength(1);
  });

  test('are the same when there are more mailboxes than the database puts together', async () => {
    const many = Array.from({ length: 600 }, (_, i) => `mailbox-${i}`);
    const scope = { personId: 'anna', ownMailboxIds: null, mailboxIds: [...SCOPE.mailboxIds, ...many] };
    const page = await listJobs(store.db.read, { scope, states: ['failed'], limit: 200 });
    expect(page.items.map(({ id }) => id)).toEqual(idsOf((row) => row.delivery_state === 'failed'));
  });

  test('are counted, each once', async () => {
    const counted = await countByState(store.db.read, { scope: SCOPE, ...LIVE });
    for (const state of ['failed', 'success'] as const)
      expect([state, counted[state]]).toEqual([state, idsOf((row) => row.delivery_state === state).length]);
    expect(await countAll(SCOPE, 'anna')).toBe(FAXES / 3);
  });

  test('are counted in each state up to a number', async () => {
    const states = ['failed', 'success'] as const;
    for (const scope of [null, SCOPE, { ...SCOPE, mailboxIds: [] }])
      for (const ownOf of [undefined, 'anna']) {
        const counted = { scope, isTest: false, ...(ownOf && { ownOf }) };
        const whole = await countByState(store.db.read, { ...counted, most: 1_000 });
        for (const most of [1, whole.failed, whole.failed + 1]) {
          const part = await countByState(store.db.read, { ...counted, most });
          expect(states.map((state) => part[state])).toEqual(
            states.map((state) => Math.min(whole[state], most)),
          );
        }
      }
  });

  test('return their numbers and nothing of the others', async () => {
    const page = { digits: '', limit: 3 };
    const first = await listVisibleNumbers(store.db.read, SCOPE, page);
    const second = await listVisibleNumbers(store.db.read, SCOPE, {
      ...page,
      cursor: first.next_cursor ?? undefined,
    });
    const numbers = [...first.items, ...second.items];
    expect(numbers.map(({ to_number }) => to_number).sort()).toEqual(NUMBERS);
    expect(second.next_cursor).toBeNull();
    for (const { to_number, uses, last_used_at, last_success_at } of numbers) {
      const own = rows.filter((row) => isVisible(row) && row.to_number === to_number);
      expect(uses).toBe(own.length);
      expect(last_used_at).toBe(
        own
          .map((row) => row.created_at)
          .sort()
          .at(-1),
      );
      expect(last_success_at === null).toBe(to_number === NUMBERS[0]);
    }
    const part = { digits: '50103', limit: 3 };
    const found = (await listVisibleNumbers(store.db.read, SCOPE, part)).items;
    expect(found.map(({ to_number }) => to_number)).toEqual(['+12025550103']);
  });

  test('return for a number only the caller’s own faxes', async () => {
    const nobody = { personId: 'dora', ownMailboxIds: null, mailboxIds: ['nowhere'] };
    expect(await findVisibleNumber(store.db.read, nobody, '+12025550102')).toBeUndefined();
    expect(await findVisibleNumber(store.db.read, SCOPE, '+12025550102')).toMatchObject({
      to_number: '+12025550102',
    });
    expect(await listReachedVisibly(store.db.read, nobody, NUMBERS, 1)).toEqual([]);
    expect(await listReachedVisibly(store.db.read, SCOPE, NUMBERS, 1)).toMatchObject([
      { to: expect.stringMatching(/^\+1202555010[2-5]$/u) },
    ]);
    expect(await listReachedVisibly(store.db.read, { ...SCOPE, mailboxIds: [] }, [], 1)).toEqual([]);
  });

  test('are read from an index of their own, also far behind', async () => {
    await fillUp(store);
    for (const [filter] of FILTERS) {
      const plan = await planOf(store, { ...filter, scope: SCOPE }, timeOf(60));
      expect(plan).toMatch(/fax_job_of_(?:mailbox|creator|number)/u);
      expect([filter, plan]).not.toEqual([
        filter,
        expect.stringMatching(
          /seq scan|\bscan fax_job\b(?! using)|using (?:covering )?index fax_job_newest/iu,
        ),
      ]);
    }
  });
});
