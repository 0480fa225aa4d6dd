import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { SENT_DOCUMENTS } from '../../server/features/outbound/stored-documents.ts';
import { type JobRow, SYSTEM } from '../../server/features/outbound/types.ts';
import { MINUTE, SECOND } from '../setup/manual-clock.ts';
import { type OutboundFixture, openOutboundFixture } from '../setup/outbound-fixture.ts';
import { openStore, STORES, type TestStore, withoutPostgres } from '../setup/stores.ts';

let next = 10;
/** A number that no other test uses. */
const newNumber = () => `+120255501${(next += 1)}`;

describe.each(STORES)(`faxes together on %s${withoutPostgres}`, (kind) => {
  let store: TestStore;
  let fixture: OutboundFixture;
  let to: string;
  beforeAll(async () => {
    store = await openStore(kind);
    fixture = await openOutboundFixture(store);
  });
  afterAll(async () => {
    await store.close();
    await fixture.close();
  });
  beforeEach(async () => {
    // Calls that other tests left under way are not polled and occupy no line.
    await store.db.transaction(async (tx) => {
      await tx.deleteFrom('job').execute();
      await tx.deleteFrom('fax_call').execute();
    });
    to = newNumber();
    fixture.transports.begun.length = 0;
    fixture.transports.lines = null;
  });

  /** The faxes of each call, in the order of their pages. */
  const calls = () =>
    fixture.transports.begun.map(({ content }) => [...content.matchAll(/<([^>]+)>/gu)].map(([, id]) => id));
  const states = (faxes: JobRow[]) => Promise.all(faxes.map((fax) => fixture.stateOf(fax)));
  const idsOf = (faxes: JobRow[]) => faxes.map(({ id }) => id);
  const sendTogether = (given: Partial<JobRow> = {}) => fixture.accept(to, given, 5);

  /** Records the provider's report of the whole call, for the given fax. */
  async function recordCallReport(
    fax: JobRow,
    report: { outcome: string; pages: number | null; noPageTransmitted?: boolean },
  ) {
    const { job, attempt } = await fixture.fax(fax);
    if (!attempt?.provider_sid) throw new Error('it is not being sent');
    const told = { ...fixture.transports.report(attempt.provider_sid), ...report } as never;
    await store.db.transaction((tx) =>
      fixture.main.parts.reports.recordReport(tx, { job, attempt }, told, SYSTEM),
    );
  }

  /** Three faxes of one, two and one pages, under way in one call of five pages. */
  async function threeInOneCall(): Promise<JobRow[]> {
    const faxes = [
      await sendTogether(),
      await sendTogether({ document_pages: 2 }),
      await sendTogether({ plan_steps: 1 }),
    ];
    fixture.clock.advance(5 * MINUTE);
    await fixture.work();
    return faxes;
  }

  test('rule (outbound): faxes that share a call each have their own history and outcome', async () => {
    const faxes = [await sendTogether(), await sendTogether({ document_pages: 2 })];
    const other = await fixture.accept(newNumber(), {}, 5);
    await fixture.work();
    expect(calls()).toEqual([]);
    fixture.clock.advance(5 * MINUTE - 3 * SECOND);
    await fixture.work();
    const [one, two] = idsOf(faxes);
    expect(calls()).toEqual([[one, two, two]]);
    expect(fixture.transports.begun[0]?.content).toMatch(/^list of 2 </u);
    expect(await states([...faxes, other])).toEqual(['in_progress', 'in_progress', 'ready']);
    for (const fax of faxes)
      expect(await fixture.historyOf(fax)).toContain(
        'Sending to Phaxio, in one call with other faxes to this number.',
      );
    await recordCallReport(faxes[0] as JobRow, { outcome: 'success', pages: 4 });
    expect(await states(faxes)).toEqual(['success', 'success']);
    expect((await fixture.fax(faxes[1] as JobRow)).attempt).toMatchObject({
      pages_sent: 2,
      call_first_page: 3,
    });
    fixture.clock.advance(MINUTE);
    await fixture.work();
    expect(await fixture.stateOf(other)).toBe('in_progress');
  });

  test('the document of several faxes in a call is kept until their outcomes are recorded, and then removed', async () => {
    const faxes = await threeInOneCall();
    const [call] = await store.db.read
      .selectFrom('fax_call')
      .select('artifact')
      .where('to_number', '=', to)
      .execute();
    const { storage } = fixture.main.parts;
    const artifact = call?.artifact ?? '';
    expect(await storage.exists(artifact)).toBe(true);
    expect([...(await SENT_DOCUMENTS.findKept(store.db.read, [artifact, 'fax/call-none.pdf']))]).toEqual([
      artifact,
    ]);
    await recordCallReport(faxes[2] as JobRow, { outcome: 'success', pages: 5 });
    await expect.poll(() => storage.exists(artifact)).toBe(false);
  });

  test('rule (outbound): confirmed pages decide which faxes of a failed call arrived', async () => {
    const faxes = await threeInOneCall();
    // The list, the first fax, and one of the two pages of the second.
    await recordCallReport(faxes[0] as JobRow, { outcome: 'failed', pages: 3 });
    expect(await states(faxes)).toEqual(['success', 'failed', 'failed']);
    expect((await fixture.fax(faxes[1] as JobRow)).attempt?.pages_sent).toBe(1);
    expect(await fixture.historyOf(faxes[0] as JobRow)).toContain('Delivered: 1 page confirmed.');
  });

  test('a fax after the break goes on by its next step, as no page of it left', async () => {
    fixture.transports.steps = 2;
    const faxes = await threeInOneCall();
    fixture.transports.steps = 1;
    const third = { ...(await fixture.fax(faxes[2] as JobRow)).job };
    expect(third.plan_steps).toBe(1);
    await fixture.planTwoSteps(faxes);
    await recordCallReport(faxes[0] as JobRow, { outcome: 'failed', pages: 2 });
    expect(await states(faxes)).toEqual(['success', 'failed', 'ready']);
    await fixture.work();
    expect(calls().at(-1)).toEqual([faxes[2]?.id]);
  });

  test('a count of no page proves nothing about any of the faxes', async () => {
    const faxes = await threeInOneCall();
    await fixture.planTwoSteps(faxes);
    await recordCallReport(faxes[0] as JobRow, { outcome: 'failed', pages: 0 });
    expect(await states(faxes)).toEqual(['failed', 'failed', 'failed']);
  });

  test('a call that breaks at the last page of a fax on our own line leaves a question for that fax', async () => {
    fixture.transports.kind = 'line';
    const faxes = await threeInOneCall();
    fixture.transports.kind = 'provider';
    await recordCallReport(faxes[0] as JobRow, { outcome: 'failed', pages: 3 });
    expect(await states(faxes)).toEqual(['success', 'reconciliation_required', 'failed']);
    expect((await fixture.fax(faxes[1] as JobRow)).job.reconciliation_reason).toContain(
      'The last page of this fax may have been printed.',
    );
  });

  test('what the transport is not sure of is a question for the fax at the break alone', async () => {
    const faxes = await threeInOneCall();
    await recordCallReport(faxes[0] as JobRow, { outcome: 'unconfirmed', pages: 4 });
    expect(await states(faxes)).toEqual(['success', 'success', 'reconciliation_required']);
  });

  test('a success that shows fewer pages is a question for the faxes it does not cover', async () => {
    const faxes = await threeInOneCall();
    await recordCallReport(faxes[0] as JobRow, { outcome: 'success', pages: 2 });
    expect(await states(faxes)).toEqual(['success', 'reconciliation_required', 'reconciliation_required']);
  });

  test('the cost of a call is divided by pages, and its parts add up', async () => {
    const faxes = await threeInOneCall();
    const cost = { amount: '0.07', currency: 'USD' };
    await recordCallReport(faxes[0] as JobRow, { outcome: 'success', pages: 5, cost } as never);
    const ids = faxes.map(({ id }) => id);
    const found = await fixture.main.parts.costs.costsOfFaxes(store.db.read, ids);
    const parts = ids.map((id) => found.get(id)?.[0]?.charged);
    expect(new Set(parts)).toEqual(new Set(['0.014', '0.028']));
    expect(parts.filter((part) => part === '0.028')).toHaveLength(2);
  });

  test('an unknown outcome is a question for each, which is decided for each', async () => {
    fixture.transports.beginAnswers.push('unknown');
    const faxes = await threeInOneCall();
    expect(await states(faxes)).toEqual(Array(3).fill('reconciliation_required'));
    const { job } = await fixture.fax(faxes[1] as JobRow);
    const decision = { outcome: 'success', note: 'asked', delivery_version: job.delivery_version } as const;
    await fixture.main.parts.commands.reconcile(
      { id: job.id, version: job.delivery_version, actor: SYSTEM },
      decision,
    );
    expect(await states(faxes)).toEqual(['reconciliation_required', 'success', 'reconciliation_required']);
  });

  test('what the provider does not take is tried again in one call', async () => {
    fixture.transports.beginAnswers.push('try later');
    const faxes = await threeInOneCall();
    expect(await states(faxes)).toEqual(Array(3).fill('ready'));
    expect(
      await store.db.read.selectFrom('fax_call').selectAll().where('to_number', '=', to).execute(),
    ).toEqual([]);
    fixture.clock.advance(MINUTE);
    await fixture.work();
    expect(calls()).toHaveLength(2);
    expect(calls()[1]).toEqual(calls()[0]);
    expect(await states(faxes)).toEqual(Array(3).fill('in_progress'));
  });

  test('a worker that is killed in the call leaves a question for each, before it each goes again', async () => {
    fixture.transports.beginAnswers.push('hang');
    const faxes = [await sendTogether(), await sendTogether()];
    fixture.clock.advance(5 * MINUTE);
    const hung = fixture.transports.waitUntilHung();
    void fixture.work();
    await hung;
    fixture.main = fixture.process(store.db);
    fixture.clock.advance(2 * MINUTE);
    await fixture.work();
    expect(await states(faxes)).toEqual(['reconciliation_required', 'reconciliation_required']);

    to = newNumber();
    fixture.transports.reachAnswers.push('hang');
    const others = [await sendTogether(), await sendTogether()];
    fixture.clock.advance(5 * MINUTE);
    const unreached = fixture.transports.waitUntilHung();
    void fixture.work();
    await unreached;
    expect(await states(others)).toEqual(['preparing', 'preparing']);
    fixture.main = fixture.process(store.db);
    fixture.clock.advance(2 * MINUTE);
    await fixture.work();
    expect(calls().at(-1)).toEqual(idsOf(others));
    expect(calls()).toHaveLength(2);
  });

  test('a fax that is sent now takes the waiting ones along, an urgent one goes alone', async () => {
    const waiting = await sendTogether();
    const urgent = await fixture.accept(to, { urgent: 1 });
    await fixture.work();
    expect(calls()).toEqual([[urgent.id]]);
    const now = await fixture.accept(to, { send_now: 1 });
    await fixture.work();
    expect(calls()[1]).toEqual([waiting.id, now.id]);
  });

  test('a person sends a waiting fax now, with the others, and one that was canceled stays behind', async () => {
    const faxes = [await sendTogether(), await sendTogether(), await sendTogether()];
    const command = async (fax: JobRow) => {
      const { id, delivery_version: version } = (await fixture.fax(fax)).job;
      return { id, version, actor: SYSTEM };
    };
    await fixture.main.parts.commands.cancel(await command(faxes[1] as JobRow));
    await fixture.main.parts.commands.schedule(await command(faxes[2] as JobRow), { sendAt: null });
    await fixture.work();
    expect(calls()).toEqual([[faxes[0]?.id, faxes[2]?.id]]);
    expect(await states(faxes)).toEqual(['in_progress', 'cancelled', 'in_progress']);
    // Stopping one would stop the others.
    await expect(fixture.main.parts.commands.cancel(await command(faxes[0] as JobRow))).rejects.toThrow();
  });

  test('a scheduled fax is not taken along before its time', async () => {
    const later = new Date(fixture.clock.now() + 60 * MINUTE).toISOString();
    const scheduled = await sendTogether({ send_at: later });
    const now = await fixture.accept(to, { send_now: 1 });
    await fixture.work();
    expect(calls()).toEqual([[now.id]]);
    expect((await fixture.fax(scheduled)).job).toMatchObject({ delivery_state: 'ready', together_at: later });
  });

  test('a fax whose document is gone keeps the others from nothing', async () => {
    const faxes = [await sendTogether(), await sendTogether(), await sendTogether()];
    await fixture.main.parts.storage.remove(faxes[1]?.artifact ?? '');
    fixture.clock.advance(5 * MINUTE);
    await fixture.work();
    // At once, or once they look again: each fax may have been at its own dispatch when it was taken along.
    fixture.clock.advance(15 * SECOND);
    await fixture.work();
    expect(calls()).toEqual([[faxes[0]?.id, faxes[2]?.id]]);
    for (let i = 0; i < 3; i += 1) {
      fixture.clock.advance(6 * MINUTE);
      await fixture.work();
    }
    expect((await states(faxes))[1]).toBe('failed');
    expect(calls()).toHaveLength(1);
  });

  test('a call with several faxes takes one line', async () => {
    fixture.transports.lines = 1;
    const faxes = [await sendTogether(), await sendTogether()];
    const other = await fixture.accept(newNumber());
    await fixture.work();
    fixture.clock.advance(5 * MINUTE);
    await fixture.work();
    expect(calls()).toEqual([[other.id]]);
    await recordCallReport(other, { outcome: 'success', pages: 1 });
    await fixture.work();
    expect(calls()[1]).toEqual(idsOf(faxes));
    await recordCallReport(faxes[0] as JobRow, { outcome: 'success', pages: 3 });
    const going = store.db.read.selectFrom('fax_call').selectAll().where('ended_at', 'is', null);
    expect((await going.execute()).filter((call) => call.to_number === to)).toEqual([]);
  });

  test('one fax of a call queries the provider for all', async () => {
    const faxes = await threeInOneCall();
    let asked = 0;
    const { report } = fixture.transports;
    fixture.transports.report = (reference) => {
      asked += 1;
      return report.call(fixture.transports, reference);
    };
    fixture.clock.advance(MINUTE);
    await fixture.work();
    expect(asked).toBe(1);
    fixture.transports.report = report;
    fixture.transports.outcomes.set(fixture.transports.begun[0]?.reference ?? '', {
      outcome: 'success',
      noPageTransmitted: false,
      pages: 5,
    });
    fixture.clock.advance(MINUTE);
    await fixture.work();
    expect(await states(faxes)).toEqual(['success', 'success', 'success']);
  });
});
