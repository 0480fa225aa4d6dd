import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { logCall } from '../../server/features/telephony/calls/call-log.ts';
import { listCalls, listCallsBefore, removeCalls } from '../../server/features/telephony/calls/store.ts';
import { type ReportedCall, UNKNOWN } from '../../server/features/telephony/calls/types.ts';
import { isoTime } from '../../server/platform/clock.ts';
import { createEventBus } from '../../server/platform/events.ts';
import { DAY, ManualClock, SECOND } from '../setup/manual-clock.ts';
import { openStore, STORES, type TestStore, withoutPostgres } from '../setup/stores.ts';

describe.for(STORES)(`the log of calls on %s${withoutPostgres}`, (name) => {
  const clock = new ManualClock();
  const published: string[] = [];
  let store: TestStore;
  beforeAll(async () => {
    store = await openStore(name);
  });
  afterAll(() => store.close());

  const events = createEventBus<{ 'call.changed': { id: string; version: number } }>(() => undefined);
  events.on('call.changed', ({ version }) => void published.push(String(version)));
  const log = (call: ReportedCall, db = store.db) =>
    db.transaction((tx) => logCall({ db, clock, events }, tx, call));
  const rows = async (number: string) => (await listCalls(store.db.read, { number, limit: 200 })).items;
  const callOf = (given: Partial<ReportedCall>): ReportedCall => ({
    ...UNKNOWN,
    direction: 'outgoing',
    call_key: 'a1',
    outcome: 'delivered',
    sentence: 'The page was confirmed.',
    ...given,
  });

  test('rule (telephony): a call is one entry of the call log, recorded with the outcome of its faxes, however often it is reported', async () => {
    const number = '+12025550101';
    const call = callOf({ number, call_key: 'once', ended_at: isoTime(clock.now()), pages_confirmed: 1 });
    const sides = [store.db, store.connectAgain(), store.db, store.connectAgain()];
    await Promise.all(sides.map((side) => log(call, side)));
    await log(callOf({ ...call, outcome: 'failed', sentence: 'The call was cut off.' }));
    expect(await rows(number)).toMatchObject([{ outcome: 'delivered', version: 1, pages_confirmed: 1 }]);
    // The engine may give an incoming call the same key.
    await log({ ...call, direction: 'incoming', outcome: 'received' });
    expect(await rows(number)).toHaveLength(2);
  });

  test('replaces the entry of a call that seemed lost by the report of the engine, but not the reverse', async () => {
    const number = '+12025550102';
    const lost = callOf({ number, call_key: 'lost', outcome: 'unconfirmed', sentence: 'Nobody knows.' });
    await log(lost);
    clock.advance(SECOND);
    published.length = 0;
    const found = callOf({ number, call_key: 'lost', ended_at: isoTime(clock.now()), station_id: 'CLINIC' });
    await log(found);
    await log(lost);
    expect(await rows(number)).toMatchObject([
      { outcome: 'delivered', station_id: 'CLINIC', version: 2, recorded_at: isoTime(clock.now() - SECOND) },
    ]);
    expect(published).toEqual(['2']);
  });

  test('replaces a refusal by the received fax, and adds only missing facts', async () => {
    const number = '+12025550103';
    const call = { direction: 'incoming', call_key: 'in', number } as const;
    const refused = callOf({ ...call, outcome: 'refused', sentence: 'Receiving is off.' });
    await log(refused);
    await log({ ...refused, sentence: 'The image cannot be read.' });
    const received = { ...call, outcome: 'received', sentence: 'It was found.' } as const;
    await log(callOf({ ...received, received_fax_id: 'f1' }));
    await log(refused);
    await log(callOf({ ...received, received_fax_id: 'f2', pages_confirmed: 3, sentence: '3 pages.' }));
    expect(await rows(number)).toMatchObject([
      { outcome: 'received', received_fax_id: 'f1', pages_confirmed: 3, sentence: '3 pages.', version: 4 },
    ]);
  });

  test('is read page by page and by every filter, and expired calls are removed', async () => {
    const number = '+12025550104';
    const outcomes = ['delivered', 'busy', 'no_answer', 'failed', 'busy'] as const;
    for (const [i, outcome] of outcomes.entries()) {
      clock.advance(DAY);
      await log(callOf({ number, call_key: `day ${i}`, outcome, sentence: outcome }));
    }
    const all = await rows(number);
    expect(all.map(({ outcome }) => outcome)).toEqual([...outcomes].reverse());
    const paged: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listCalls(store.db.read, { number, limit: 2, cursor });
      paged.push(...page.items.map(({ id }) => id));
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect(paged).toEqual(all.map(({ id }) => id));
    const keys = async (filter: Partial<Parameters<typeof listCalls>[1]>) =>
      (await listCalls(store.db.read, { number, limit: 9, ...filter })).items.map((row) => row.call_key);
    expect(await keys({ outcome: ['busy', 'failed'] })).toEqual(['day 4', 'day 3', 'day 1']);
    expect(await keys({ direction: 'incoming' })).toEqual([]);
    const [, second, third] = all.map(({ recorded_at }) => recorded_at);
    expect(await keys({ since: third ?? '', until: second ?? '' })).toEqual(['day 2']);
    expect(await keys({ ids: [all[0]?.id ?? ''] })).toEqual(['day 4']);
    const before = second ?? '';
    const [first] = await listCallsBefore(store.db.read, { before, after: null, limit: 1 });
    const after = [first?.recorded_at ?? '', first?.id ?? ''] as const;
    const others = await listCallsBefore(store.db.read, { before, after, limit: 9 });
    const old = [...(first ? [first] : []), ...others];
    expect(old.map(({ recorded_at }) => recorded_at)).toEqual(
      old.map(({ recorded_at }) => recorded_at).toSorted((a, b) => a.localeCompare(b)),
    );
    await store.db.transaction((tx) =>
      removeCalls(
        tx,
        old.map(({ id }) => id),
      ),
    );
    expect(await keys({})).toEqual(['day 4', 'day 3']);
  });
});
