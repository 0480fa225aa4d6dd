import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WorkItemTable } from '../../server/db/schema/work.ts';
import { type KeyRange, overdueRange, rangesOf } from '../../server/features/work/store/list-key.ts';
import { countItems, type ItemFilter, listItems } from '../../server/features/work/store/list-store.ts';
import { isOverdue, stateKeyAt, stateOf } from '../../server/features/work/work-state.ts';
import { isoTime } from '../../server/platform/clock.ts';
import { WORK_STATE_KEYS, WORK_STATES } from '../../shared/states/work.ts';
import { Random } from '../setup/authority/random-world.ts';
import { inboundRow } from '../setup/inbound-rows.ts';
import { HOUR, MINUTE } from '../setup/manual-clock.ts';
import { plansOf } from '../setup/query-plans.ts';
import { openStore, STORES, type TestStore } from '../setup/stores.ts';
import { workRow } from '../setup/work-rows.ts';

const NOW = Date.parse('2026-11-21T12:00:00.000Z');
const MAILBOXES = [null, 'a', 'b', 'c'];
const OWNERS = ['', 'owen', 'nell'];
const ITEMS = 300;

function randomItem(random: Random, n: number): WorkItemTable {
  const id = `item-${String(n).padStart(4, '0')}`;
  const state_key = random.of(['waiting', 'assigned', 'overdue', 'acknowledged', 'done'] as const);
  const due_at = random.of([null, isoTime(NOW + (random.below(40) - 20) * 7 * MINUTE)]);
  const isMissed = state_key === 'overdue';
  return workRow({
    id,
    inbound_fax_id: `fax-${id}`,
    mailbox_id: random.of(MAILBOXES),
    owner_id: state_key === 'waiting' ? '' : random.of(OWNERS),
    available_at: isoTime(NOW - random.below(200) * HOUR),
    state_key,
    due_at: isMissed ? isoTime(NOW - HOUR) : due_at,
    missed_at: isMissed ? isoTime(NOW) : null,
    awaited_until: stateOf(state_key) === 'open' && !isMissed ? due_at : null,
  });
}

interface FilterCase {
  readonly filter: ItemFilter;
  fits(item: WorkItemTable): boolean;
}

function randomFilter(random: Random, items: readonly WorkItemTable[]): FilterCase {
  const everything = random.below(3) === 0;
  const mailboxIds = everything ? [] : random.some(['a', 'b', 'c'], 5);
  const named = random.some(items, 1).slice(0, 20);
  const documentIds = everything ? [] : named.map(({ inbound_fax_id }) => inbound_fax_id);
  const states = random.of([WORK_STATES, ['open'], ['open', 'done'], ['acknowledged']] as const);
  const view = random.of(['all', 'overdue', 'owner', 'owner', 'owners'] as const);
  const isOverdueView = view === 'overdue';
  const ranges: readonly KeyRange[] = isOverdueView ? [overdueRange(isoTime(NOW))] : rangesOf(states);
  const ownerIds =
    view === 'owner'
      ? [random.of(OWNERS)]
      : view === 'owners'
        ? ['', random.of(['owen', 'nell'])]
        : undefined;
  const mailboxId = random.of([null, null, 'a', 'b']) ?? undefined;
  const keys = random.below(3) === 0 ? random.some([...WORK_STATE_KEYS], 4) : undefined;
  const open = keys && { keys: keys.filter((key) => stateOf(key) === 'open'), now: isoTime(NOW) };
  const ids = random.below(4) === 0 ? random.some(items, 3).map(({ id }) => id) : undefined;
  return {
    filter: { scope: { everything, mailboxIds, documentIds }, ranges, ownerIds, mailboxId, ids, open },
    fits: (item) =>
      (everything ||
        mailboxIds.includes(item.mailbox_id ?? '') ||
        documentIds.includes(item.inbound_fax_id)) &&
      (isOverdueView
        ? isOverdue(item, isoTime(NOW))
        : states.some((one) => one === stateOf(item.state_key))) &&
      (open === undefined ||
        stateOf(item.state_key) !== 'open' ||
        open.keys.includes(stateKeyAt(item, isoTime(NOW)))) &&
      (ownerIds === undefined || ownerIds.includes(item.owner_id)) &&
      (mailboxId === undefined || item.mailbox_id === mailboxId) &&
      (ids === undefined || ids.includes(item.id)),
  };
}

/** Compares items without their key: open, acknowledged, done; then the earliest due time; then the newest. */
function inOrder(a: WorkItemTable, b: WorkItemTable): number {
  const rank = ({ state_key }: WorkItemTable) => WORK_STATES.indexOf(stateOf(state_key));
  const due = (item: WorkItemTable) =>
    stateOf(item.state_key) === 'done' || item.due_at === null ? '9' : item.due_at;
  if (rank(a) !== rank(b)) return rank(a) - rank(b);
  if (due(a) !== due(b)) return due(a) < due(b) ? -1 : 1;
  if (a.available_at !== b.available_at) return a.available_at > b.available_at ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}

describe.each(STORES)('the list of work items, on %s', (name) => {
  const items = (() => {
    const random = new Random(7);
    return Array.from({ length: ITEMS }, (_, n) => randomItem(random, n));
  })();
  let store: TestStore;
  beforeAll(async () => {
    store = await openStore(name);
    await store.db.transaction(async (tx) => {
      for (const { inbound_fax_id: id } of items)
        await tx.insertInto('inbound_fax').values(inboundRow({ id })).execute();
      for (const item of items) await tx.insertInto('work_item').values(item).execute();
    });
  });
  afterAll(() => store.close());

  test('has what fits and is seen, once, in its order, page by page, and counts the same', async () => {
    const random = new Random(11);
    let found = 0;
    for (let round = 0; round < 80; round += 1) {
      const { filter, fits } = randomFilter(random, items);
      const wanted = items.filter(fits).toSorted(inOrder);
      const listed: string[] = [];
      const limit = random.of([1, 7, 200]);
      for (let cursor: string | undefined; ; ) {
        const page = await listItems(store.db.read, { ...filter, limit, cursor });
        listed.push(...page.items.map(({ id }) => id));
        if (page.next_cursor === null || listed.length > 15) break;
        cursor = page.next_cursor;
      }
      const told = wanted.map(({ id }) => id).slice(0, Math.max(listed.length, 1));
      expect({ round, filter, listed }).toEqual({ round, filter, listed: told });
      expect(await countItems(store.db.read, filter, 1_000)).toBe(wanted.length);
      expect(await countItems(store.db.read, filter, 5)).toBe(Math.min(wanted.length, 5));
      found += wanted.length;
    }
    expect(found).toBeGreaterThan(500);
  });

  test('a search answers what it found among so many items, and goes on after them to the last', async () => {
    const scope = { everything: true, mailboxIds: [], documentIds: [] };
    const search = { texts: ['no such note'], numbers: [], mailboxIds: ['a'], faxIds: [], day: null };
    const wanted = items.filter(({ mailbox_id }) => mailbox_id === 'a').toSorted(inOrder);
    const listed: string[] = [];
    let pages = 0;
    for (let cursor: string | undefined; ; ) {
      const filter = { scope, ranges: rangesOf(WORK_STATES), search, limit: 1_000, cursor, maxScanned: 100 };
      const page = await listItems(store.db.read, filter);
      expect(page.items.length).toBeLessThanOrEqual(100);
      listed.push(...page.items.map(({ id }) => id));
      pages += 1;
      if (page.next_cursor === null) break;
      cursor = page.next_cursor;
    }
    expect(listed).toEqual(wanted.map(({ id }) => id));
    expect(pages).toBe(ITEMS / 100 + 1);
  });

  test.runIf(name === 'sqlite')('walks no further than the page through an index', async () => {
    await sql`analyze`.execute(store.db.unrestricted);
    const scope = { everything: false, mailboxIds: ['a', 'b'], documentIds: ['fax-item-0001'] };
    const whole = { everything: true, mailboxIds: [], documentIds: [] };
    const ranges = rangesOf(['open', 'done']);
    for (const filter of [
      { scope: whole, ranges },
      { scope: whole, ranges, ownerId: 'owen' },
      { scope: whole, ranges, mailboxId: 'a' },
      { scope, ranges },
      { scope, ranges, ownerId: '' },
      { scope: whole, ranges, ids: ['item-0001'] },
    ]) {
      const lines = await planOf(store, filter);
      const reads = lines.filter((line) => line.startsWith('SEARCH work_item'));
      expect(reads.length).toBeGreaterThan(0);
      // Named items are a part of their own, which is small enough to be walked.
      const isNamed = filter.ids !== undefined || filter.scope.documentIds.length > 0;
      expect([filter, lines.some((line) => line.startsWith('SCAN work_item'))]).toEqual([filter, isNamed]);
      // In the order of the list as far as the page goes, without its rows, or what was named one by one.
      for (const line of reads)
        expect([filter, line]).toEqual([
          filter,
          expect.stringMatching(
            /^SEARCH work_item USING (?:COVERING INDEX \w+ \((?:[\w=? ]+ AND )?list_key>\? AND list_key<\?|INDEX \w+ \((?:inbound_fax_)?id=\?)\)$/u,
          ),
        ]);
    }
  });
});

async function planOf(store: TestStore, filter: ItemFilter): Promise<string[]> {
  const plans = await plansOf(store, (db) => listItems(db, { ...filter, limit: 50 }));
  // Parts are compiled alone as well; the whole of them is the longest.
  const lists = plans.filter(({ sql: text }) => text.includes('"list_key" <'));
  return lists.toSorted((a, b) => b.sql.length - a.sql.length)[0]?.lines ?? [];
}
