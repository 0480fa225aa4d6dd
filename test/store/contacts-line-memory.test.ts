import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLineCalls, type LineCalls } from '../../server/features/contacts/line-calls.ts';
import { NO_LIMITS } from '../../server/features/contacts/line-memory-port.ts';
import { markLearned } from '../../server/features/outbound/store/attempt-store.ts';
import { createEventBus } from '../../server/platform/events.ts';
import { DAY, ManualClock } from '../setup/manual-clock.ts';
import { attemptRow, faxRow } from '../setup/outbound-rows.ts';
import { openStore, STORES, type TestStore, withoutPostgres } from '../setup/stores.ts';

const account = 'sip:office1';
const lineResult = {
  best: { t38: true, ecm: true, mostRate: 14_400 },
  mode: 'audio',
  trouble: null,
} as const;
const asSound = { account, limits: NO_LIMITS, lineResult };
const AS_SOUND = { ...NO_LIMITS, withoutT38: true };

describe.each(STORES)(`the line memory on %s${withoutPostgres}`, (kind) => {
  const clock = new ManualClock();
  let store: TestStore;
  let calls: LineCalls;
  beforeAll(async () => {
    store = await openStore(kind);
    calls = createLineCalls({ db: store.db, clock, events: createEventBus(() => undefined) });
  });
  afterAll(() => store.close());

  const limitsTo = (to: string) => store.db.transaction((tx) => calls.limitsTo(tx, to, account));
  const note = (to: string, call: Parameters<LineCalls['recordCall']>[2]) =>
    store.db.transaction((tx) => calls.recordCall(tx, to, call));
  const numbers = async () =>
    (await store.db.read.selectFrom('line_memory').select('to_number').orderBy('to_number').execute()).map(
      ({ to_number }) => to_number,
    );

  test('is read as it was written, replaced, and removed when there is nothing to remember', async () => {
    const to = '+12025550101';
    expect(await limitsTo(to)).toEqual(NO_LIMITS);
    await note(to, asSound);
    expect(await limitsTo(to)).toEqual(AS_SOUND);
    const poor = { account, limits: AS_SOUND, lineResult: { ...lineResult, trouble: 'pages' } } as const;
    await note(to, poor);
    expect(await limitsTo(to)).toEqual(AS_SOUND);
    await note(to, poor);
    expect(await limitsTo(to)).toEqual({ ...AS_SOUND, mostRate: 9600 });
    expect(await limitsTo('+12025550102')).toEqual(NO_LIMITS);
    await note(to, { account, limits: NO_LIMITS, lineResult: { ...lineResult, mode: 't38' } });
    expect(await numbers()).toEqual([]);
  });

  test('keeps no number for longer than it holds', async () => {
    await note('+12025550103', asSound);
    clock.advance(45 * DAY);
    await note('+12025550104', asSound);
    clock.advance(45 * DAY);
    expect(await limitsTo('+12025550103')).toEqual(NO_LIMITS);
    await note('+12025550105', asSound);
    expect(await numbers()).toEqual(['+12025550104', '+12025550105']);
  });

  test('records what a call showed once, also when two gateways receive it at the same time', async () => {
    const job = faxRow();
    const faxes = [1, 2].map((number) => attemptRow(job.id, { number, call_id: 'call-1' }));
    await store.db.transaction(async (tx) => {
      await tx.insertInto('fax_job').values(job).execute();
      await tx.insertInto('fax_attempt').values(faxes).execute();
    });
    const other = store.connectAgain();
    const marked = await Promise.all(
      faxes.map((fax, i) =>
        (i === 0 ? store.db : other).transaction((tx) => markLearned(tx, fax, '2026-05-04T00:00:00.000Z')),
      ),
    );
    expect(marked.filter(Boolean)).toHaveLength(1);
  });
});
