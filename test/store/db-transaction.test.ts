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

  test('rule (database): what accompanies some work is kept with its first transaction, or neither is', async () => {
    const { db } = store;
    const row = (id: string) => ({
      caller_id: id,
      request_key: 'one',
      fingerprint: 'same',
      answer: null,
      expires_at: '2030-01-01T00:00:00.000Z',
    });
    const callers = async () =>
      (await db.read.selectFrom('answered_request').select('caller_id').orderBy('caller_id').execute()).map(
        ({ caller_id }) => caller_id,
      );
    const add = (id: string) =>
      db.transaction((tx) => tx.insertInto('answered_request').values(row(id)).execute());
    const companion = (id: string) => async (tx: Parameters<Parameters<typeof db.transaction>[0]>[0]) => {
      await tx.insertInto('answered_request').values(row(id)).execute();
    };
    await db.withCompanion(companion('companion'), async () => {
      await expect(
        db.transaction(async () => {
          throw new Error('the first one fails');
        }),
      ).rejects.toThrow('the first one fails');
      expect(await callers()).toEqual([]);
      await add('first');
      expect(await callers()).toEqual(['companion', 'first']);
      await add('second');
    });
    let late: Promise<unknown> = Promise.resolve();
    await Promise.all([
      // Transactions that are committed together keep to their own.
      db.withCompanion(companion('of the third'), () => add('third')),
      add('fourth'),
      db.withCompanion(companion('of nothing'), async () => {
        late = new Promise((resolve) => setTimeout(resolve, 5)).then(() => add('late'));
      }),
    ]);
    await late;
    expect(await callers()).toEqual([
      'companion',
      'first',
      'fourth',
      'late',
      'of the third',
      'second',
      'third',
    ]);
  });
});
