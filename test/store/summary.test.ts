import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { settleRestoredSummary } from '../../server/features/summary/offline.ts';
import { changeDay, findDay, hasSince, insertDay, newestDays } from '../../server/features/summary/store.ts';
import type { SummaryRow } from '../../server/features/summary/types.ts';
import { localIsoDate } from '../../server/platform/local-time.ts';
import { openStore, STORES, type TestStore, withoutPostgres } from '../setup/stores.ts';

const AT = '2026-11-23T12:00:00.000Z';

const row = (day: string, state: SummaryRow['state']): SummaryRow => ({
  day,
  state,
  version: 1,
  problem: null,
  failures: 0,
  retry_at: null,
  delivered: '[]',
  recorded_at: AT,
  updated_at: AT,
});

describe.for(STORES)(`daily summaries on %s${withoutPostgres}`, (name) => {
  let store: TestStore;
  beforeAll(async () => {
    store = await openStore(name);
  });
  afterAll(() => store.close());

  test('a day has one summary; that of a later day prevents it, and that of a future day does not', async () => {
    await store.db.transaction(async (tx) => {
      expect(await insertDay(tx, row('2026-11-20', 'delivered'))).toBe(true);
      expect(await insertDay(tx, row('2026-11-20', 'waiting'))).toBe(false);
      await insertDay(tx, row('2027-11-20', 'delivered'));
    });
    const has = (day: string) => hasSince(store.db.read, day, '2026-11-22');
    expect([await has('2026-11-19'), await has('2026-11-20'), await has('2026-11-21')]).toEqual([
      true,
      true,
      false,
    ]);
    expect(await has('2027-11-20')).toBe(true);
  });

  test('changes only in the version that was read', async () => {
    const read = row('2026-11-20', 'delivered');
    const change = () =>
      store.db.transaction((tx) => changeDay(tx, read, { state: 'failed', updated_at: AT }));
    expect([await change(), await change()]).toEqual([true, false]);
  });

  test('after a restore none is sent automatically, not even that of the last day, which may have been sent since', async () => {
    await store.db.transaction(async (tx) => {
      await tx.deleteFrom('summary_day').execute();
      await settleRestoredSummary(tx, AT, 'backup');
    });
    // Without an earlier summary, none is recorded.
    expect(await newestDays(store.db.read, 9)).toEqual([]);
    await store.db.transaction(async (tx) => {
      await insertDay(tx, row('2026-11-18', 'delivered'));
      await insertDay(tx, row('2026-11-19', 'sending'));
      await insertDay(tx, row('2026-11-20', 'waiting'));
      await settleRestoredSummary(tx, AT, 'backup');
    });
    const last = localIsoDate(Date.parse(AT) - 24 * 3_600_000, null);
    const states = (await newestDays(store.db.read, 9)).map(({ day, state }) => [day, state]);
    expect(states).toEqual([
      [last, 'uncertain'],
      ['2026-11-20', 'uncertain'],
      ['2026-11-19', 'uncertain'],
      ['2026-11-18', 'delivered'],
    ]);
    expect((await findDay(store.db.read, last))?.problem).toContain('Restored from a backup');
  });
});
