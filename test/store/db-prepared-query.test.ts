import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ReadDb, WriteTx } from '../../server/db/database.ts';
import { prepareInsert, prepareQuery, type ValueOf } from '../../server/db/prepared-query.ts';
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

  it('is refused after its transaction has ended', async () => {
    let ended: WriteTx | null = null;
    await store.db.transaction(async (tx) => {
      ended = tx;
    });
    const late = numbersFrom(ended as unknown as WriteTx, { to: '+12025550123', least: 1 });
    await expect(late).rejects.toThrow('after its transaction had ended');
  });
});
