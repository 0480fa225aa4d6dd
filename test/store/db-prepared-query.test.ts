import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ReadDb, WriteTx } from '../../server/db/database.ts';
import { prepareInsert, prepareQuery, prepareUpdate, type ValueOf } from '../../server/db/prepared-query.ts';
import type { FaxNumberTable } from '../../server/db/schema/outbound.ts';
import { openStore, STORES, type TestStore, withoutPostgres } from '../setup/stores.ts';

const AT = '2026-11-25T08:00:00.000Z';
const insertNumber = prepareInsert((tx) => tx.insertInto('fax_number'));
const numbersFrom = prepareQuery((db: ReadDb, value: ValueOf<{ to: string; least: number }>) =>
  db
    .selectFrom('fax_number')
    .select(['to_number', 'uses'])
    .where('to_number', '=', value('to'))
    .where('uses', '>=', value('least')),
);

describe.each(STORES)(`a prepared query on %s${withoutPostgres}`, (kind) => {
  let store: TestStore;
  beforeEach(async () => {
    store = await openStore(kind);
  });
  afterEach(async () => await store.close());

  const insert = (to: string, uses: number) =>
    store.db.transaction((tx) =>
      insertNumber(tx, { to_number: to, last_used_at: AT, last_success_at: null, uses }),
    );

  it('takes other values each time', async () => {
    await insert('+12025550123', 2);
    await insert('+12025550124', 5);
    expect(await numbersFrom(store.db.read, { to: '+12025550124', least: 1 })).toEqual([
      { to_number: '+12025550124', uses: 5 },
    ]);
    expect(await numbersFrom(store.db.read, { to: '+12025550123', least: 1 })).toHaveLength(1);
    expect(await numbersFrom(store.db.read, { to: '+12025550123', least: 3 })).toEqual([]);
  });

  it('runs in the transaction that it is given, and goes with it', async () => {
    const failing = store.db.transaction(async (tx) => {
      await insertNumber(tx, { to_number: '+12025550125', last_used_at: AT, last_success_at: null, uses: 1 });
      expect(await numbersFrom(tx, { to: '+12025550125', least: 1 })).toHaveLength(1);
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    expect(await numbersFrom(store.db.read, { to: '+12025550125', least: 1 })).toEqual([]);
  });

  it('inserts rows whose columns come in another order', async () => {
    await store.db.transaction((tx) =>
      insertNumber(tx, { uses: 7, last_success_at: AT, to_number: '+12025550126', last_used_at: AT }),
    );
    const row = await store.db.read.selectFrom('fax_number').selectAll().executeTakeFirst();
    expect(row).toEqual({ to_number: '+12025550126', last_used_at: AT, last_success_at: AT, uses: 7 });
  });

  it('leaves a row with the same key as it is, and returns the ids of new ones', async () => {
    const insertNew = prepareInsert(
      (tx) => tx.insertInto('fax_number'),
      (added) =>
        added.onConflict((conflict) => conflict.column('to_number').doNothing()).returning('to_number'),
    );
    const row = { to_number: '+12025550127', last_used_at: AT, last_success_at: null, uses: 1 };
    const insertRow = (uses: number) => store.db.transaction((tx) => insertNew(tx, { ...row, uses }));
    expect(await insertRow(1)).toEqual([{ to_number: row.to_number }]);
    expect(await insertRow(2)).toEqual([]);
    expect(await numbersFrom(store.db.read, { to: row.to_number, least: 1 })).toEqual([
      { to_number: row.to_number, uses: 1 },
    ]);
  });

  it('updates the rows that fit, without values that are undefined, and returns them', async () => {
    const update = prepareUpdate('fax_number', ['to_number', 'uses']);
    await insert('+12025550128', 2);
    await insert('+12025550129', 2);
    const change = (values: Partial<FaxNumberTable>, uses: number) =>
      store.db.transaction((tx) => update(tx, values, { to_number: '+12025550128', uses }));
    const changed = { to_number: '+12025550128', last_used_at: AT, last_success_at: AT, uses: 3 };
    const values = { last_used_at: undefined, last_success_at: AT, uses: 3 };
    expect(await change(values as Partial<FaxNumberTable>, 2)).toEqual([changed]);
    expect(await change({ uses: 9 }, 2)).toEqual([]);
    expect(await change({ last_success_at: null }, 3)).toEqual([{ ...changed, last_success_at: null }]);
    expect(await numbersFrom(store.db.read, { to: '+12025550129', least: 1 })).toEqual([
      { to_number: '+12025550129', uses: 2 },
    ]);
  });

  it('is refused after its transaction has ended', async () => {
    let ended: WriteTx | null = null;
    await store.db.transaction(async (tx) => {
      ended = tx;
    });
    const late = numbersFrom(ended as unknown as WriteTx, { to: '+12025550123', least: 1 });
    await expect(late).rejects.toThrow('after its transaction had ended');
  });
});
