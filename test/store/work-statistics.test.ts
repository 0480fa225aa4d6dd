import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WorkItemTable } from '../../server/db/schema/work.ts';
import { workStatistics } from '../../server/features/work/statistics.ts';
import { listKey } from '../../server/features/work/store/list-key.ts';
import { inboundRow } from '../setup/inbound-rows.ts';
import { openStore, STORES, type TestStore } from '../setup/stores.ts';

const NOW = '2026-11-21T09:00:00.000Z';
const HOUR = 3_600_000;
const MAILBOXES = ['ward', 'lab', null] as const;
const PEOPLE = ['ada', 'ben', 'cleo'] as const;
/** More than two pages, so that what begins a page is counted once. */
const ITEMS = 4_500;

const at = (ms: number) => new Date(Date.parse(NOW) + ms).toISOString();
/** The same for every run: a number below `most`. */
let seed = 7;
function below(most: number): number {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
  return Math.floor((seed / 2_147_483_648) * most);
}
const oneOf = <T>(some: readonly T[]): T => some[below(some.length)] as T;

/** An item as a day in an office leaves it. Many are filed in the same second. */
function itemOf(n: number): WorkItemTable {
  const filed = -below(48 * 60) * 60_000;
  const hours = oneOf([null, 4]);
  const due_at = hours === null ? null : at(filed + hours * HOUR);
  const acknowledged = below(3) > 0 ? filed + below(8 * 3600) * 1000 : null;
  const done = below(2) > 0 ? (acknowledged ?? filed) + below(9 * 3600) * 1000 : null;
  const isAnswered = acknowledged !== null || done !== null;
  const first = acknowledged ?? done ?? Number.POSITIVE_INFINITY;
  const missed = due_at !== null && Date.parse(due_at) <= Date.parse(NOW) + Math.min(first, 0);
  // A due time that passed a moment ago may not be recorded yet.
  const isRecorded = missed && (isAnswered || below(2) === 0);
  const item = {
    id: `item-${n}`,
    inbound_fax_id: `fax-${n}`,
    version: 1,
    mailbox_id: oneOf(MAILBOXES),
    from_number: null,
    to_number: null,
    pages: 1,
    sha256: '',
    is_test: below(20) === 0 ? 1 : 0,
    available_at: at(filed),
    updated_at: NOW,
    duplicate_of: null,
    due_at,
    due_hours: hours,
    due_source: hours === null ? null : 'installation',
    awaited_until: due_at === null || isAnswered || isRecorded ? null : due_at,
    missed_at: isRecorded ? due_at : null,
    state_key: done !== null ? 'done' : acknowledged !== null ? 'acknowledged' : 'assigned',
    owner_id: oneOf(['', ...PEOPLE]),
    assigned_at: null,
    acknowledged_by: acknowledged === null ? null : oneOf(PEOPLE),
    acknowledged_at: acknowledged === null ? null : at(acknowledged),
    escalated_to: isRecorded && below(3) === 0 ? oneOf(PEOPLE) : null,
    escalated_at: null,
    done_by: done === null ? null : oneOf(PEOPLE),
    done_at: done === null ? null : at(done),
    done_note: null,
    history_count: 0,
    history_digest: '',
    history_end: null,
  } satisfies Omit<WorkItemTable, 'list_key'>;
  return { ...item, list_key: listKey(item) };
}

const items = Array.from({ length: ITEMS }, (_, n) => itemOf(n));

/** The plain way: everything at once, sorted. */
function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]];
  return low === undefined || high === undefined ? null : Math.round((low + high) / 2);
}
const seconds = (from: string, to: string | null) =>
  Math.round((Date.parse(to ?? '') - Date.parse(from)) / 1000);
const isLate = (item: WorkItemTable) =>
  item.missed_at !== null || (item.awaited_until !== null && item.awaited_until <= NOW);
const isInTime = (item: WorkItemTable) =>
  item.due_at !== null && item.missed_at === null && item.awaited_until === null;
const isOpen = (item: WorkItemTable) => item.done_at === null && item.acknowledged_at === null;

function expectedOf(
  filed: readonly WorkItemTable[],
  of: {
    met(item: WorkItemTable): boolean;
    by: (id: string | null) => boolean;
    now(item: WorkItemTable): boolean;
  },
) {
  const acknowledged = filed.filter(({ acknowledged_by: by }) => by !== null && of.by(by));
  const done = filed.filter(({ done_by: by }) => by !== null && of.by(by));
  const open = items.filter((item) => item.is_test === 0 && isOpen(item) && of.now(item));
  return {
    in_time: filed.filter((item) => isInTime(item) && of.met(item)).length,
    late: filed.filter((item) => isLate(item) && of.met(item)).length,
    acknowledged: acknowledged.length,
    median_acknowledge_seconds: median(acknowledged.map((i) => seconds(i.available_at, i.acknowledged_at))),
    done: done.length,
    median_done_seconds: median(done.map((i) => seconds(i.available_at, i.done_at))),
    open_now: open.length,
    overdue_now: open.filter(isLate).length,
  };
}

describe.each(STORES)('the statistics of the work queue on %s', (name) => {
  let store: TestStore;
  beforeAll(async () => {
    store = await openStore(name);
    await store.db.transaction(async (tx) => {
      for (const id of MAILBOXES.flatMap((mailbox) => mailbox ?? []))
        await tx
          .insertInto('mailbox')
          .values({ id, label: `The ${id}`, enabled: 1, version: 1, created_at: NOW, updated_at: NOW })
          .execute();
      for (let from = 0; from < ITEMS; from += 250) {
        const some = items.slice(from, from + 250);
        const faxes = some.map((item) => inboundRow({ id: item.inbound_fax_id }));
        await tx.insertInto('inbound_fax').values(faxes).execute();
        await tx.insertInto('work_item').values(some).execute();
      }
    });
  });
  afterAll(() => store.close());

  test('are what counting all of them one by one gives, by mailbox and person', async () => {
    const span = { since: at(-40 * HOUR), until: at(-2 * HOUR) };
    const filed = items.filter(
      (item) => item.is_test === 0 && item.available_at >= span.since && item.available_at < span.until,
    );
    const found = await workStatistics({ db: store.db, clock: { now: () => Date.parse(NOW) } }, span);
    const everyone = () => true;
    expect(found.all).toEqual({
      received: filed.length,
      awaited: filed.filter(({ awaited_until: until }) => until !== null && until > NOW).length,
      without_target: filed.filter(({ due_at }) => due_at === null).length,
      ...expectedOf(filed, { met: everyone, by: everyone, now: everyone }),
    });
    expect(found.all.awaited * found.all.late * found.all.overdue_now).toBeGreaterThan(0);
    expect(found.mailboxes.map(({ label }) => label)).toEqual(['The lab', 'The ward', null]);
    for (const {
      mailbox_id: id,
      label: _,
      received,
      awaited: _a,
      without_target: _w,
      ...figures
    } of found.mailboxes) {
      const inside = filed.filter(({ mailbox_id }) => mailbox_id === id);
      expect(received).toBe(inside.length);
      const now = ({ mailbox_id }: WorkItemTable) => mailbox_id === id;
      expect(figures).toEqual(expectedOf(inside, { met: everyone, by: everyone, now }));
    }
    expect(new Set(found.people.map(({ principal_id }) => principal_id))).toEqual(new Set([...PEOPLE, null]));
    for (const { principal_id: id, name: _, ...figures } of found.people)
      expect([id, figures]).toEqual([
        id,
        expectedOf(filed, {
          met: (item) => {
            const by = item.acknowledged_by ?? item.done_by;
            return id !== null && by === id && item.escalated_to !== id;
          },
          by: (by) => by === id,
          now: ({ owner_id }) => owner_id === (id ?? ''),
        }),
      ]);
  });
});
