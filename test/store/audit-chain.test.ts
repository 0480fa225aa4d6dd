import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../server/db/database.ts';
import {
  type CountedEvents,
  createCountedEvents,
  createSecurityAudit,
  type SecurityEvent,
  verifySecurityAudit,
} from '../../server/features/audit/service.ts';
import { createLogger } from '../../server/platform/logger.ts';
import { createSeal } from '../../server/platform/seal.ts';
import { HOUR, ManualClock } from '../setup/manual-clock.ts';
import { openStore, STORES, type TestStore } from '../setup/stores.ts';

const SEAL = createSeal(new Uint8Array(32).fill(7));
const EVENT: SecurityEvent = {
  actor: { id: 'ada', name: 'Ada' },
  credentialKind: 'session',
  operation: 'key.create',
  target: { kind: 'key', id: 'k1' },
  outcome: 'done',
  policyVersion: 3,
  requestId: 'r1',
  details: { label: 'Practice system' },
};

describe.each(STORES)('the chain of the security audit, on %s', (name) => {
  let store: TestStore;
  let clock: ManualClock;
  let counted: CountedEvents;
  const logger = createLogger({ write: () => undefined });
  const countedOn = (db: Database) => createCountedEvents({ db, clock, logger, seal: SEAL });

  beforeEach(async () => {
    store = await openStore(name);
    clock = new ManualClock();
    counted = countedOn(store.db);
    await counted.start();
  });
  afterEach(async () => {
    await counted.stop();
    await store.close();
  });

  async function record(times = 1, db = store.db, seal: typeof SEAL | null = SEAL): Promise<void> {
    const audit = createSecurityAudit({ clock, ...(seal ? { seal } : {}) });
    for (let time = 0; time < times; time += 1) await db.transaction((tx) => audit.record(tx, EVENT));
  }
  const verify = (seal: typeof SEAL | null = SEAL) => verifySecurityAudit(() => store.db.read, seal);
  const whole = () => store.db.unrestricted;
  /** Changes the store directly, as a person with write access to it could. */
  const change = (seq: number, columns: object) =>
    whole().updateTable('security_event').set(columns).where('seq', '=', seq).execute();
  const remove = (from: number, to = from) =>
    whole().deleteFrom('security_event').where('seq', '>=', from).where('seq', '<=', to).execute();

  it('is whole when nobody touched it', async () => {
    expect(await verify()).toMatchObject({ intact: true, checked: 0 });
    await record(3);
    expect(await verify()).toEqual({
      intact: true,
      checked: 3,
      first_problem: null,
      end_checked: true,
      sentence: 'The security audit is complete and unchanged: 3 entries.',
    });
  });

  it.each([
    { outcome: 'refused' },
    { details: '{"label":"Other"}' },
    { actor_name: 'Eve' },
    { occurred_at: '2020-01-01T00:00:00.000Z', last_at: '2020-01-01T00:00:00.000Z' },
    { count: 7 },
    { last_at: '2030-01-01T00:00:00.000Z' },
  ])('names the record in which %o was written', async (columns) => {
    await record(3);
    await change(2, columns);
    expect(await verify()).toMatchObject({
      intact: false,
      first_problem: 2,
      sentence: 'Record 2 of the security audit was altered.',
    });
  });

  it('rule (audit): a removed record of the security audit is detected', async () => {
    await record(5);
    await remove(3, 4);
    const sentence = 'Record 3 of the security audit is missing.';
    expect(await verify()).toMatchObject({ intact: false, first_problem: 3, checked: 2, sentence });
  });

  it('is broken where records changed places', async () => {
    await record(3);
    await change(1, { seq: 99 });
    await change(2, { seq: 1 });
    await change(99, { seq: 2 });
    expect(await verify()).toMatchObject({ intact: false, first_problem: 1 });
  });

  it('shows that its end is missing, also when the plain end was set back and more was recorded since', async () => {
    await record(5);
    const kept = await whole()
      .selectFrom('security_event')
      .selectAll()
      .where('seq', '=', 3)
      .executeTakeFirstOrThrow();
    await remove(4, 5);
    const sentence =
      'The last records of the security audit are missing: it ends with number 3, and 5 were written.';
    expect(await verify()).toMatchObject({ intact: false, first_problem: 4, sentence });
    await whole().updateTable('security_chain').set({ seq: 3, digest: kept.digest }).execute();
    expect(await verify()).toMatchObject({ intact: false, first_problem: 4, sentence });
    expect(await verify(null)).toMatchObject({ intact: true, end_checked: false });
    await counted.start();
    await record();
    expect(await verify()).toMatchObject({
      first_problem: 4,
      sentence: 'Record 4 of the security audit is missing.',
    });
  });

  it('shows that the sealed end was removed or is of another key', async () => {
    await record(2);
    expect(await verify(createSeal(new Uint8Array(32)))).toMatchObject({ intact: false, first_problem: 0 });
    await whole().updateTable('security_chain').set({ sealed: null }).execute();
    await counted.start();
    await record();
    expect(await verify()).toMatchObject({ intact: false, first_problem: 0 });
  });

  it('takes over what the command line recorded without the data key', async () => {
    await record(2);
    await record(1, store.db, null);
    expect(await verify()).toMatchObject({ intact: true, checked: 3 });
    await counted.start();
    await remove(3);
    expect(await verify()).toMatchObject({ intact: false, first_problem: 3 });
  });

  it('holds what was counted when the hour is over', async () => {
    for (let time = 0; time < 4; time += 1) await counted.count(EVENT);
    await counted.flush();
    // Until then a count may grow.
    expect(await verify()).toMatchObject({ intact: true, checked: 1 });
    clock.advance(HOUR);
    await counted.fix();
    expect(await verify()).toMatchObject({ intact: true, checked: 2 });
    await change(1, { count: 2 });
    expect(await verify()).toMatchObject({ intact: false, first_problem: 1 });
    await change(1, { count: 9 });
    await record();
    expect(await verify()).toMatchObject({ intact: true });
    clock.advance(HOUR);
    await record();
    expect(await verify()).toMatchObject({ intact: false, first_problem: 1 });
    await change(1, { count: 4 });
    expect(await verify()).toMatchObject({ intact: true });
    await whole().updateTable('security_count').set({ count: 3 }).execute();
    await change(1, { count: 3, chained_count: 3 });
    expect(await verify()).toMatchObject({ intact: false, first_problem: 2 });
  });

  it('holds counts of the hour in which the gateway stopped', async () => {
    await counted.count(EVENT);
    await counted.count(EVENT);
    await counted.stop();
    await change(1, { count: 1, chained_count: 1 });
    expect(await verify()).toMatchObject({ intact: false, first_problem: 1 });
  });

  it('is one chain for all who write at once', async () => {
    const other = name === 'postgres' ? store.connectAgain() : store.db;
    const counting = countedOn(other);
    const writers = Array.from({ length: 20 }, (_, at) => [
      record(1, at % 2 === 0 ? store.db : other),
      (at % 2 === 0 ? counted : counting).count({ ...EVENT, target: { kind: 'key', id: `k${at % 3}` } }),
    ]);
    await Promise.all(writers.flat());
    await Promise.all([counted.flush(), counting.flush()]);
    clock.advance(HOUR);
    await Promise.all([counted.fix(), counting.fix()]);
    await counting.stop();
    expect(await verify()).toMatchObject({ intact: true, first_problem: null });
    const rows = await whole().selectFrom('security_event').select(['same_key', 'count']).execute();
    expect(rows.filter(({ same_key }) => same_key === null)).toHaveLength(20);
    const counts = rows.filter(({ same_key }) => same_key !== null).map(({ count }) => count);
    expect(counts.sort((a, b) => a - b)).toEqual([6, 7, 7]);
  });
});
