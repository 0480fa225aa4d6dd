import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { incompleteAmong } from '../../server/features/inbound/store/fax-store.ts';
import { countMissed } from '../../server/features/outbound/store/callback-store.ts';
import { countByState } from '../../server/features/outbound/store/state-counts.ts';
import { inboundRow } from '../setup/inbound-rows.ts';
import { plansOf } from '../setup/query-plans.ts';
import { openStore, type TestStore } from '../setup/stores.ts';

// PostgreSQL counts its rows and reads a small table whole; SQLite takes the same plan for any number of rows.
let store: TestStore;
beforeAll(async () => {
  store = await openStore('sqlite');
});
afterAll(() => store.close());

const planOf = async (run: Parameters<typeof plansOf>[1]) =>
  (await plansOf(store, run)).flatMap(({ lines }) => lines);

test('received faxes with missing pages are read by their ids', async () => {
  const rows = [
    inboundRow({ incomplete: 1, problem: 'A page may be missing.' }),
    inboundRow({ incomplete: 1, problem: 'A page may be missing.', status: 'waiting' }),
    inboundRow(),
  ];
  await store.db.transaction(async (tx) => {
    await tx.insertInto('inbound_fax').values(rows).execute();
  });
  const ids = rows.map(({ id }) => id);
  expect(await incompleteAmong(store.db.read, ids)).toEqual(
    new Map([[rows[0]?.id, 'A page may be missing.']]),
  );
  expect(await planOf((db) => incompleteAmong(db, ids))).toEqual([
    'SEARCH inbound_fax USING INDEX sqlite_autoindex_inbound_fax_1 (id=?)',
  ]);
});

test('SQLite compiles a statement at its first run alone, whatever its values are', async () => {
  const numbers = Array.from({ length: 5 }, (_, i) => `+1202555020${i}`);
  const at = '2026-11-25T08:00:00.000Z';
  await store.db.transaction(async (tx) => {
    const rows = numbers.map((to_number) => ({
      to_number,
      last_used_at: at,
      last_success_at: null,
      uses: 1,
    }));
    await tx.insertInto('fax_number').values(rows).execute();
  });
  // The package builds the reader of rows anew after each compilation.
  const builds = vi.spyOn(globalThis, 'Function');
  try {
    for (const number of numbers) {
      const newest = store.db.read
        .selectFrom('fax_number')
        .select(['to_number', 'uses'])
        .where('last_used_at', '=', at)
        .where('to_number', '>=', number)
        .orderBy('uses')
        .orderBy('to_number')
        .limit(1);
      expect(await newest.execute()).toEqual([{ to_number: number, uses: 1 }]);
    }
    expect(builds).toHaveBeenCalledTimes(1);
  } finally {
    builds.mockRestore();
  }
});

test('missed callbacks are counted in their index', async () => {
  const plan = await planOf(countMissed);
  expect(plan).toEqual(['SCAN fax_attempt USING COVERING INDEX fax_attempt_missed']);
});

test('a deleted fax is searched among unseen failures by its id', async () => {
  const { rows } = await sql<{
    detail: string;
  }>`explain query plan delete from fax_job where id = 'a'`.execute(store.db.unrestricted);
  expect(rows.map(({ detail }) => detail).filter((line) => line.includes('fax_unseen_failure'))).toEqual([
    'SEARCH fax_unseen_failure USING COVERING INDEX fax_unseen_failure_of_job (job_id=?)',
  ]);
});

test('sent faxes are counted in the index of their state, or of their mailbox and state', async () => {
  const counted = { isTest: false, most: 10 };
  const scope = { personId: 'anna', ownMailboxIds: null, mailboxIds: ['surgery', 'cardiology'] };
  const indexes = async (more: { scope: typeof scope | null; ownOf?: string }) => {
    const lines = await planOf((db) => countByState(db, { ...counted, ...more }));
    return new Set(lines.filter((line) => line.includes('fax_job')));
  };
  const search = (index: string, equal: string) => `SEARCH fax_job USING COVERING INDEX ${index} (${equal})`;
  const ofCreator = search('fax_job_of_creator', 'created_by=? AND delivery_state=?');
  const ofMailbox = search('fax_job_of_mailbox_state', 'mailbox_id=? AND delivery_state=?');
  expect(await indexes({ scope: null })).toEqual(new Set([search('fax_job_of_state', 'delivery_state=?')]));
  expect(await indexes({ scope: null, ownOf: 'anna' })).toEqual(new Set([ofCreator]));
  expect(await indexes({ scope })).toEqual(new Set([ofCreator, ofMailbox]));
});
