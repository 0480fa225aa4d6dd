import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isUniqueViolation } from '../../server/db/database.ts';
import {
  insertAttempt,
  isTaken,
  newestAttempts,
} from '../../server/features/outbound/store/attempt-store.ts';
import { addHistory, listHistory } from '../../server/features/outbound/store/history-store.ts';
import { type JobFilter, listJobs } from '../../server/features/outbound/store/job-list.ts';
import { insertJob } from '../../server/features/outbound/store/job-store.ts';
import { findRequest, insertRequest } from '../../server/features/outbound/store/request-store.ts';
import { createSeal } from '../../server/platform/seal.ts';
import { attemptRow, faxRow } from '../setup/outbound-rows.ts';
import { openStore, STORES, type TestStore } from '../setup/stores.ts';
import { fillUp, planOf } from './outbound-query-plans.ts';

let store: TestStore;

const timeOf = (minute: number) => new Date(Date.UTC(2026, 10, 21, 9, minute)).toISOString();

async function insertFaxes(count: number): Promise<string[]> {
  const rows = Array.from({ length: count }, (_, i) =>
    faxRow({
      // Three faxes share each time, so that the id has to part them.
      created_at: timeOf(Math.floor(i / 3)),
      delivery_state: i % 10 === 0 ? 'failed' : 'success',
      to_number: i % 4 === 0 ? '+12025550199' : '+12025550123',
      search_text: `${i % 4 === 0 ? '+12025550199' : '+12025550123'} ${i === 5 ? 'referral 50%_off.pdf' : `letter-${i}.pdf`}`,
    }),
  );
  await store.db.transaction(async (tx) => {
    for (const row of rows) await insertJob(tx, row);
  });
  return rows
    .sort((a, b) => b.created_at.localeCompare(a.created_at) || b.id.localeCompare(a.id))
    .map((row) => row.id);
}

async function readAll(filter: JobFilter, betweenPages?: () => Promise<void>): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listJobs(store.db.read, { ...filter, cursor });
    ids.push(...page.items.map((row) => row.id));
    cursor = page.next_cursor ?? undefined;
    if (cursor) await betweenPages?.();
  } while (cursor);
  return ids;
}

describe.each(STORES)('faxes in %s', (name) => {
  beforeEach(async () => {
    store = await openStore(name);
  });
  afterEach(() => store.close());

  test('are listed newest first, each once, however long the pages are', async () => {
    const ids = await insertFaxes(50);
    for (const limit of [1, 7, 49, 50, 200]) expect(await readAll({ limit })).toEqual(ids);
  });

  test('keep their place while others arrive between two pages', async () => {
    const ids = await insertFaxes(30);
    let minute = 100;
    const arrive = async () => {
      await store.db.transaction((tx) => insertJob(tx, faxRow({ created_at: timeOf((minute += 1)) })));
    };
    expect(await readAll({ limit: 4 }, arrive)).toEqual(ids);
  });

  test('are found by state, number, time and a part of number or name', async () => {
    await insertFaxes(40);
    const count = async (filter: Omit<JobFilter, 'limit'>) => (await readAll({ ...filter, limit: 3 })).length;
    expect(await count({ states: ['failed'] })).toBe(4);
    expect(await count({ states: ['held'] })).toBe(0);
    expect(await count({ states: ['failed', 'success', 'failed'] })).toBe(40);
    expect(await count({ to: '+12025550199' })).toBe(10);
    expect(await count({ states: ['failed'], to: '+12025550199' })).toBe(2);
    expect(await count({ createdBy: 'nobody' })).toBe(0);
    expect(await count({ createdBy: 'bootstrap', to: '+12025550199', states: ['held', 'success'] })).toBe(8);
    expect(await count({ since: timeOf(10) })).toBe(10);
    expect(await count({ since: timeOf(5), until: timeOf(10) })).toBe(15);
    expect(await count({ texts: ['0199'] })).toBe(10);
    expect(await count({ texts: ['nothing', 'letter-1'] })).toBe(11);
    // A wildcard of the database is an ordinary character here.
    expect(await count({ texts: ['letter-1_'] })).toBe(0);
    expect(await count({ texts: ['50%_o'], createdBy: 'bootstrap' })).toBe(1);
  });

  const filters: Omit<JobFilter, 'limit'>[] = [
    {},
    { states: ['failed'] },
    { states: ['failed', 'success'] },
    { to: '+12025550123' },
    { createdBy: 'bootstrap' },
    { createdBy: 'bootstrap', states: ['failed', 'held'] },
    { to: '+12025550123', createdBy: 'bootstrap', until: timeOf(0) },
  ];
  test.each(filters)('are read from an index, also far behind, with %j', async (filter) => {
    await insertFaxes(60);
    await fillUp(store);
    const plan = await planOf(store, filter, timeOf(10));
    expect(plan).toMatch(/fax_job_(?:newest|of_state|of_number|of_creator)/u);
    expect(plan).not.toMatch(/seq scan|\bscan fax_job\b(?! using)/iu);
  });

  test('share no provider fax within an account', async () => {
    const job = faxRow();
    const first = attemptRow(job.id, { provider_sid: '77' });
    const second = attemptRow(job.id, { number: 2, provider_sid: '77' });
    await store.db.transaction(async (tx) => {
      await insertJob(tx, job);
      await insertAttempt(tx, first);
      await insertAttempt(tx, attemptRow(job.id, { number: 3 }));
      await insertAttempt(tx, attemptRow(job.id, { number: 4 }));
      await insertAttempt(
        tx,
        attemptRow(job.id, { number: 5, provider_sid: '77', provider_account: 'other' }),
      );
    });
    const failed = await store.db
      .transaction((tx) => insertAttempt(tx, second))
      .catch((error: unknown) => error);
    expect(isUniqueViolation(failed)).toBe(true);
    const taken = { account: first.provider_account, providerSid: '77' };
    expect(await isTaken(store.db.read, { ...taken, except: second })).toBe(true);
    expect(await isTaken(store.db.read, { ...taken, except: first })).toBe(false);
    expect((await newestAttempts(store.db.read, [job.id])).get(job.id)?.number).toBe(5);
  });

  test('keep their history in the order of recording, whatever the clock said', async () => {
    const job = faxRow();
    await store.db.transaction((tx) => insertJob(tx, job));
    const kinds = ['accepted', 'waiting', 'submitting', 'failed'] as const;
    const times = [timeOf(30), timeOf(10), timeOf(50), timeOf(20)];
    for (const [i, occurred_at] of times.entries())
      await store.db.transaction((tx) =>
        addHistory(tx, job.id, { kind: kinds[i] ?? 'held', occurred_at, actor: 'Faxdesk', text: `${i}` }),
      );
    const history = await listHistory(store.db.read, job.id);
    expect(history.map(({ kind, occurred_at }) => [kind, occurred_at])).toEqual(
      kinds.map((kind, i) => [kind, times[i]]),
    );
  });

  test('take one key of one caller once', async () => {
    const job = faxRow();
    const row = {
      caller_id: 'anna',
      idempotency_key: 'k',
      to_text: job.to_number,
      fingerprint: 'f',
      document_fingerprint: 'd',
      preview_id: null,
      mailbox: null,
      job_id: job.id,
      created_at: job.created_at,
    };
    const seal = createSeal(Buffer.alloc(32, 7));
    await store.db.transaction(async (tx) => {
      await insertJob(tx, job);
      await insertRequest(tx, seal, row);
      await insertRequest(tx, seal, { ...row, caller_id: 'bert' });
    });
    const again = await store.db
      .transaction((tx) => insertRequest(tx, seal, row))
      .catch((error: unknown) => error);
    expect(isUniqueViolation(again)).toBe(true);
    expect(await findRequest(store.db.read, seal, { callerId: 'anna', key: 'k' })).toEqual(row);
    expect(await findRequest(store.db.read, seal, { callerId: 'carl', key: 'k' })).toBeUndefined();
  });
});
