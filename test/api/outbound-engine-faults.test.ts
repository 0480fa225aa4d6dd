import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setup } from '../../renderer/texts/en/setup.ts';
import { firstDifference } from '../fixtures/bitmaps.ts';
import type { Fax } from '../setup/gateway.ts';
import { farEndNumber } from '../setup/telephony/far-end.ts';
import { OFFICE_NUMBER } from '../setup/telephony/rig.ts';
import type { Skippable } from '../setup/tools.ts';
import type { Inbound } from './inbound-setup.ts';
import { FaultyLine } from './outbound-engine-faults-setup.ts';
import { pagesOf, receivedPages } from './outbound-engine-setup.ts';

const CHECK = 'Check with the recipient, then decide.';
const LONG = farEndNumber('t38', 1);
const SOUND = farEndNumber('audio', 2);
const TOGETHER = farEndNumber('t38', 3);
const RINGS = farEndNumber('ringsInVain', 4);
const BUSY = farEndNumber('busy', 5);
const BEFORE = farEndNumber('t38', 11);
const BETWEEN = farEndNumber('t38', 12);
const AFTER = farEndNumber('t38', 13);
const LOST = farEndNumber('t38', 14);
const RINGS_ON = farEndNumber('noAnswer', 15);
/** As many as the calls that are made at once. */
const LINES = 5;

let started: FaultyLine | { readonly unavailable: string };
beforeAll(async () => {
  started = await FaultyLine.start({ TRUNK_LINES: String(LINES), INBOUND_ENABLED: 'true' });
}, 900_000);
afterAll(async () => {
  if (started instanceof FaultyLine) await started.close();
});

/** Skips a test, with the reason, where the engine cannot run. */
function needLine(context: Skippable): FaultyLine {
  return started instanceof FaultyLine ? started : context.skip(started.unavailable);
}

interface Calls {
  readonly long: Fax;
  readonly sound: Fax;
  readonly rings: Fax;
  readonly toOurselves: Fax;
  readonly takenAlong: Fax;
  readonly lead: Fax;
  /** These wait, for a line and for their number. */
  readonly busy: Fax;
  readonly second: Fax;
}

describe('calls during which the gateway is killed three times', () => {
  let calls: Calls;
  let image: Buffer;
  let held: string[];
  let waits: unknown[];

  beforeAll(async () => {
    if (!(started instanceof FaultyLine)) return;
    const line = started;
    calls = await placeCalls(line);
    const lead = await line.fax(calls.lead.id);
    image = await line.imageOf(lead.provider_sid ?? '');
    // While calls are made and ring.
    await line.kill();
    held = line.listHeldLines();
    await line.restart();
    waits = [(await line.fax(calls.busy.id)).waits_for, (await line.fax(calls.second.id)).waits_for];
    await line.waitForPage(calls.long.id, 1);
    await line.proxy.cut();
    await line.proxy.open();
    // Those that waited were called when a line and the number were free.
    await line.waitFor(calls.busy.id, { delivery_state: 'failed', error: 'The line was busy.' });
    await line.waitFor(calls.second.id, { progress: { stage: 'dialing' } });
    // In page 2, or a later one.
    await line.waitForPage(calls.long.id, 2);
    await line.kill();
    await line.restart();
    const { attempt } = await line.waitForPage(calls.long.id, 3);
    // Between the end of the call and the reading of its outcome.
    await line.kill();
    await line.waitForOutcome(attempt?.id);
    await line.restart();
  }, 600_000);

  test('keep their lines and their number, and those that wait go on waiting', async (context) => {
    const line = needLine(context);
    expect(held).toEqual([LONG, SOUND, TOGETHER, RINGS, OFFICE_NUMBER].sort());
    expect(waits).toEqual(['line', 'number']);
    expect(await line.waitForEnd(calls.second.id)).toMatchObject({ error: 'Nobody answered.' });
    expect([line.callsOf(BUSY), line.callsOf(RINGS)]).toEqual([1, 2]);
  });

  test('end as they would have, and nobody is called again', async (context) => {
    const line = needLine(context);
    expect(await line.waitForEnd(calls.long.id)).toMatchObject({ delivery_state: 'success', pages: 7 });
    expect(await line.waitForEnd(calls.sound.id)).toMatchObject({ delivery_state: 'success', pages: 2 });
    expect(await line.waitForEnd(calls.rings.id)).toMatchObject({
      delivery_state: 'failed',
      error: 'Nobody answered.',
      attempt: { unreached: 'no_answer' },
    });
    expect([line.callsOf(LONG), line.callsOf(SOUND)]).toEqual([1, 1]);
  });

  test('with two faxes together send each once, as it was drawn', async (context) => {
    const line = needLine(context);
    const success = { delivery_state: 'success', pages: 1 };
    expect(await line.waitForEnd(calls.lead.id)).toMatchObject(success);
    expect(await line.waitForEnd(calls.takenAlong.id)).toMatchObject(success);
    expect(line.callsOf(TOGETHER)).toBe(1);
    const sent = await pagesOf(image);
    // Before them goes a page that lists them.
    expect(sent).toHaveLength(3);
    const received = await receivedPages(line.rig, TOGETHER);
    expect(received.map((page, i) => firstDifference(page, sent[i] ?? page))).toEqual([null, null, null]);
  });

  test('bring the test fax of the first start back to our own number, over the line', async (context) => {
    const line = needLine(context);
    expect(await line.waitForEnd(calls.toOurselves.id)).toMatchObject({
      delivery_state: 'success',
      pages: 1,
    });
    const received = async () => {
      const faxes = await line.request<Inbound[]>('GET', '/inbound');
      expect(faxes).toMatchObject([{ fr: OFFICE_NUMBER, to: OFFICE_NUMBER, status: 'received', pages: 1 }]);
    };
    await expect.poll(received).toBeUndefined();
    expect(line.callsOf(OFFICE_NUMBER)).toBe(1);
    const internal = await line.send(OFFICE_NUMBER);
    expect(await line.waitForEnd(internal.id)).toMatchObject({
      delivery_state: 'success',
      delivered_by: 'internal',
    });
    expect(line.callsOf(OFFICE_NUMBER)).toBe(1);
  });
});

describe('calls that break off', () => {
  let faxes: Record<'before' | 'between' | 'after' | 'lost' | 'rings', Fax>;

  beforeAll(async () => {
    if (!(started instanceof FaultyLine)) return;
    const line = started;
    faxes = {
      lost: await line.send(LOST, 6),
      before: await line.send(BEFORE, 2),
      between: await line.send(BETWEEN, 3),
      after: await line.send(AFTER),
      rings: await line.send(RINGS_ON),
    };
    const places = [
      [BEFORE, 0],
      [BETWEEN, 2],
      [AFTER, 1],
    ] as const;
    await Promise.all(places.map(([to, pages]) => line.hangUpAfter(to, pages)));
    for (const { id } of [faxes.before, faxes.between, faxes.after]) await line.waitForEnd(id);
    await line.waitFor(faxes.rings.id, { progress: { stage: 'dialing' } });
    await line.waitForPage(faxes.lost.id, 2);
    await line.rig.office.kill();
    await line.rig.office.start();
  }, 600_000);

  test('before page 1 have certainly sent nothing whole', async (context) => {
    const fax = await needLine(context).fax(faxes.before.id);
    expect(fax).toMatchObject({ delivery_state: 'failed', pages: 0 });
    expect(['The call was cut off.', 'The other side hung up right away.']).toContain(fax.error);
  });

  test('between pages say how many were confirmed', async (context) => {
    expect(await needLine(context).fax(faxes.between.id)).toMatchObject({
      delivery_state: 'failed',
      error: '1 of 3 pages was confirmed. The call was cut off.',
    });
  });

  test('after the last page, before it was confirmed, are a question', async (context) => {
    expect(await needLine(context).fax(faxes.after.id)).toMatchObject({
      delivery_state: 'reconciliation_required',
      reconciliation_reason: `The call was cut off. The page may have been printed. ${CHECK}`,
    });
  });

  test('with a kill of the engine: what rang was not sent, what ran is a question', async (context) => {
    const line = needLine(context);
    expect(await line.waitForLostCall(faxes.rings.id)).toMatchObject({
      delivery_state: 'failed',
      error: 'The telephone engine stopped before anyone answered.',
    });
    expect(await line.waitForLostCall(faxes.lost.id)).toMatchObject({
      delivery_state: 'reconciliation_required',
      reconciliation_reason: `The telephone engine stopped during the call, and we don’t know how much of the fax arrived. ${CHECK}`,
    });
    // The engine that was started again is called for.
    const next = await line.send(BUSY);
    expect(await line.waitForEnd(next.id)).toMatchObject({
      delivery_state: 'failed',
      error: 'The line was busy.',
    });
    expect([BEFORE, BETWEEN, AFTER, LOST, RINGS_ON].map((to) => line.callsOf(to))).toEqual([1, 1, 1, 1, 1]);
    expect(line.rig.office.cli('core show channels count')).toContain('0 active calls');
  });
});

async function placeCalls(line: FaultyLine): Promise<Calls> {
  const contact = { name: 'Laboratory', fax_number: TOGETHER, send_together_minutes: 5 };
  await line.request('POST', '/contacts', contact);
  const page = setup.test.page({ organization: 'Example Clinic', number: OFFICE_NUMBER, at: 'today' });
  const file = new File([page], setup.test.fileName, { type: 'text/plain' });
  const calls = {
    long: await line.send(LONG, 7),
    sound: await line.send(SOUND, 2),
    toOurselves: await line.sendFiles(OFFICE_NUMBER, [file], { send_by_call: 'true' }),
    takenAlong: await line.send(TOGETHER),
    lead: await line.send(TOGETHER, 1, { send_now: 'true' }),
    rings: await line.send(RINGS),
  };
  for (const { id } of Object.values(calls)) await line.waitFor(id, { delivery_state: 'in_progress' });
  const waiting = { busy: await line.send(BUSY), second: await line.send(RINGS) };
  await line.waitFor(waiting.busy.id, { waits_for: 'line' });
  await line.waitFor(waiting.second.id, { waits_for: 'number' });
  return { ...calls, ...waiting };
}
