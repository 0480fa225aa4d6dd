import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCostBook, type EndedAttempt } from '../../server/features/routing/cost-book.ts';
import { sumsBy } from '../../server/features/routing/store/sum-store.ts';
import { newId } from '../../server/platform/ids.ts';
import { moneyOf } from '../../shared/money.ts';
import { ManualClock } from '../setup/manual-clock.ts';
import { openStore, STORES, type TestStore, withoutPostgres } from '../setup/stores.ts';

describe.for(STORES)(`the book of costs on %s${withoutPostgres}`, (name) => {
  const clock = new ManualClock();
  const book = createCostBook({ clock, timeZone: () => 'UTC' });
  let store: TestStore;
  beforeAll(async () => {
    store = await openStore(name);
  });
  afterAll(() => store.close());

  const span = { from: '2000-01-01', to: '2999-12-31' };
  async function sumOf(backend: string) {
    const rows = (await sumsBy(store.db.read, 'route', span)).filter(({ key }) => key === backend);
    return rows.map(({ currency, amount, attempts }) => [
      currency && moneyOf(amount, currency).amount,
      attempts,
    ]);
  }

  async function begin(backend: string, seconds = 90): Promise<string> {
    const attemptId = newId();
    const attempt = { attemptId, jobId: attemptId, backend, to: '+12025550123', pages: 2, seconds };
    await store.db.transaction((tx) =>
      book.begin(tx, { ...attempt, routeId: null, mailboxId: null, createdBy: 'somebody' }),
    );
    return attemptId;
  }
  const end = (id: string, ending: Partial<EndedAttempt>, db = store.db) =>
    db.transaction((tx) =>
      book.ended(tx, id, { reported: null, billed: null, share: null, mayReport: false, ...ending }),
    );
  const costOf = async (id: string) => (await book.costsOfFaxes(store.db.read, [id])).get(id)?.[0];

  async function card(backend: string, prices: { per_minute?: string; per_fax?: string; per_page?: string }) {
    const none = { per_page: null, per_minute: null, per_fax: null, monthly_fee: null, included_pages: null };
    const at = '2020-01-01T00:00:00.000Z';
    const id = newId();
    await store.db.transaction(async (tx) => {
      await tx
        .insertInto('rate_card')
        .values({ id, backend, route_id: null, version: 1, removed_at: null })
        .execute();
      const made = { source: '', valid_from: at, created_at: at, created_by_name: 'Somebody' };
      const steps = { increment_seconds: 6, minimum_seconds: 30 };
      const what = { card_id: id, version: 1, backend, currency: 'EUR', prefixes: '[]' };
      await tx
        .insertInto('rate_card_version')
        .values({ ...what, ...none, ...steps, ...made, ...prices })
        .execute();
    });
  }

  test('has a call of our own line by the time that it took', async () => {
    await card('line-1', { per_minute: '0.019', per_fax: '0.05' });
    const id = await begin('line-1');
    expect((await costOf(id))?.estimated).toBe('0.0785');
    expect(await sumOf('line-1')).toEqual([]);
    await end(id, { billed: { pages: 2, seconds: 61, calls: 1 } });
    expect(await costOf(id)).toMatchObject({ charged: '0.0709', certainty: 'calculated', state: 'settled' });
    const busy = await begin('line-1');
    await end(busy, { billed: { pages: 0, seconds: 0, calls: 0 } });
    expect((await costOf(busy))?.charged).toBe('0.00');
    const open = await begin('line-1');
    await end(open, { billed: { pages: null, seconds: null, calls: 1 } });
    expect((await costOf(open))?.charged).toBeNull();
    expect(await sumOf('line-1')).toEqual(
      expect.arrayContaining([
        ['0.0709', 2],
        ['', 1],
      ]),
    );
  });

  test('divides a call of several faxes by pages to the last millionth', async () => {
    await card('line-2', { per_minute: '0.019', per_fax: '0.05' });
    const billed = { pages: 2, seconds: 61, calls: 1 } as const;
    for (const before of [1, 3, 5])
      await end(await begin('line-2'), { billed, share: { before, pages: 2, total: 7 } });
    expect(await sumOf('line-2')).toEqual([['0.0709', 3]]);
  });

  test('rule (routing): the cost of an attempt is in the sums of its day once, however often its outcome is reported', async () => {
    const id = await begin('told');
    const amount = { amount: '0.07', currency: 'USD' };
    await end(id, { mayReport: true });
    expect(await sumOf('told')).toEqual([['', 1]]);
    const sides = [store.db, store.connectAgain(), store.db, store.connectAgain()];
    await Promise.all(sides.map((side) => side.transaction((tx) => book.charged(tx, id, amount))));
    await end(id, { billed: null });
    expect(await sumOf('told')).toEqual([['0.07', 1]]);
    await store.db.transaction((tx) => book.charged(tx, id, { amount: '3', currency: 'KWD' }));
    expect(await sumOf('told')).toEqual([['3.000', 1]]);
    await store.db.transaction((tx) => book.notTaken(tx, id));
    expect(await sumOf('told')).toEqual([]);
  });

  test('adds what outgrows a floating-point number', async () => {
    for (const amount of ['9007199254.740993', '0.000001', '0.000001'])
      await end(await begin('large'), { reported: { amount, currency: 'JPY' } });
    expect(await sumOf('large')).toEqual([['9007199254.740995', 3]]);
  });
});
