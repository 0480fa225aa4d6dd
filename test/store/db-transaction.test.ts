import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openStore, STORES, type TestStore } from '../setup/stores.ts';

describe.each(STORES)('a transaction on %s', (name) => {
  let store: TestStore;
  beforeEach(async () => {
    store = await openStore(name);
  });
  afterEach(() => store.close());

  test('rule (database): inside a transaction the outer database is not touched', async () => {
    await store.db.transaction(async (tx) => {
      expect(() => store.db.read).toThrow('the outer database was used inside a transaction');
      await expect(store.db.transaction(async () => {})).rejects.toThrow(
        'the outer database was used inside a transaction',
      );
      await tx.selectFrom('job').select('id').execute();
    });
  });

  test('rule (database): a transaction awaits only its queries, and a query after its end is refused', async () => {
    let late: Promise<unknown> = Promise.resolve();
    await store.db.transaction(async (tx) => {
      late = new Promise((resolve) => setImmediate(resolve)).then(() =>
        tx.selectFrom('job').select('id').execute(),
      );
      late.catch(() => {});
    });
    await expect(late).rejects.toThrow('a query was made after its transaction had ended');
  });
});
