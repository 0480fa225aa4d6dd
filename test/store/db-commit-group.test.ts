import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { insertJob } from '../../server/jobs/job-store.ts';
import { openStore, type TestStore } from '../setup/stores.ts';

/** Transactions of one connection that come together share a commit; each must still stand for itself. */
let store: TestStore;
beforeEach(async () => {
  store = await openStore('sqlite');
});
afterEach(() => store.close());

const rowOf = (id: string) => ({
  id,
  kind: 'test',
  key: null,
  payload: '{}',
  priority: 1,
  run_at: 0,
  attempts: 0,
  locked_by: null,
  locked_until: null,
  last_error: null,
});

const idsOf = async () =>
  (await store.db.read.selectFrom('job').select('id').orderBy('id').execute()).map((row) => row.id);

describe('transactions that come together', () => {
  test('are all kept, and each resolves only after the common commit', async () => {
    const reported: string[] = [];
    const add = (id: string) =>
      store.db.transaction(async (tx) => {
        await insertJob(tx, rowOf(id));
        store.db.onCommit(tx, () => reported.push(id));
        expect(reported).toEqual([]);
      });
    await Promise.all(['a', 'b', 'c'].map(add));
    expect(reported).toEqual(['a', 'b', 'c']);
    expect(await idsOf()).toEqual(['a', 'b', 'c']);
  });

  test('rule (database): on SQLite concurrent transactions share one flushed commit, and a failed one is rolled back alone', async () => {
    const results = await Promise.allSettled([
      store.db.transaction((tx) => insertJob(tx, rowOf('a'))),
      store.db.transaction(async (tx) => {
        await insertJob(tx, rowOf('b'));
        throw new Error('changed its mind');
      }),
      store.db.transaction((tx) => insertJob(tx, rowOf('a'))),
      store.db.transaction((tx) => insertJob(tx, rowOf('c'))),
    ]);
    expect(results.map((result) => result.status)).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
      'fulfilled',
    ]);
    expect(await idsOf()).toEqual(['a', 'c']);
  });

  test('notify each of its commit once, also when another of them fails', async () => {
    const reported: string[] = [];
    const add = (id: string, problem?: string) =>
      store.db.transaction(async (tx) => {
        await insertJob(tx, rowOf(id));
        store.db.onCommit(tx, () => reported.push(id));
        if (problem) throw new Error(problem);
      });
    await Promise.allSettled([add('a'), add('b'), add('c', 'changed its mind')]);
    expect(reported).toEqual(['a', 'b']);
    expect(await idsOf()).toEqual(['a', 'b']);
  });

  test('do not see a query of one that had ended', async () => {
    let late: Promise<unknown> = Promise.resolve();
    await Promise.all([
      store.db.transaction(async (tx) => {
        await insertJob(tx, rowOf('a'));
        late = new Promise((resolve) => setImmediate(resolve)).then(() => insertJob(tx, rowOf('late')));
      }),
      store.db.transaction((tx) => insertJob(tx, rowOf('b'))),
    ]);
    await expect(late).rejects.toThrow('after its transaction had ended');
    expect(await idsOf()).toEqual(['a', 'b']);
  });
});
