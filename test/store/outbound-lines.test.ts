import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type JobRow, SYSTEM } from '../../server/features/outbound/types.ts';
import { MINUTE } from '../setup/manual-clock.ts';
import { type OutboundFixture, openOutboundFixture } from '../setup/outbound-fixture.ts';
import { openStore, STORES, type TestStore, withoutPostgres } from '../setup/stores.ts';

const [A, B, C] = ['+12025550123', '+12025550124', '+12025550125'] as const;

describe.each(STORES)(`calls at once on %s${withoutPostgres}`, (kind) => {
  let store: TestStore;
  let fixture: OutboundFixture;
  beforeAll(async () => {
    store = await openStore(kind);
    fixture = await openOutboundFixture(store);
  });
  afterAll(async () => {
    await store.close();
    await fixture.close();
  });
  afterEach(async () => {
    await deliverAll();
    fixture.transports.begun.length = 0;
    fixture.transports.lines = null;
  });

  const stateOf = async (job: JobRow) => {
    const { delivery_state, waits_for } = (await fixture.fax(job)).job;
    return [delivery_state, waits_for];
  };
  const calledNumbers = () => fixture.transports.begun.map(({ to }) => to);

  /** Records the transport's report of the outcome. */
  async function end(
    job: JobRow,
    outcome: 'success' | 'failed' = 'success',
    by = fixture.main,
  ): Promise<void> {
    const fax = await fixture.fax(job);
    if (!fax.attempt?.provider_sid) throw new Error('it is not being sent');
    const report = { ...fixture.transports.report(fax.attempt.provider_sid), outcome, pages: 1 };
    await by.parts.db.transaction((tx) =>
      by.parts.recorder.record(tx, fax, { kind: 'reported', report }, SYSTEM),
    );
  }

  async function deliverAll(): Promise<void> {
    for (;;) {
      await fixture.work();
      const going = await store.db.read
        .selectFrom('fax_job')
        .selectAll()
        .where('delivery_state', '=', 'in_progress')
        .execute();
      if (going.length === 0) return;
      for (const job of going) await end(job);
    }
  }

  /** Accepted, and looked at before the next one comes. */
  async function send(to: string, given: Parameters<OutboundFixture['accept']>[1] = {}): Promise<JobRow> {
    const job = await fixture.accept(to, given);
    await fixture.work();
    return job;
  }

  test('a fax waits for a free line, says so once, and goes at once when there is one', async () => {
    fixture.transports.lines = 1;
    const first = await send(A);
    const second = await send(B);
    const third = await send(C);
    await fixture.work();
    expect(await stateOf(first)).toEqual(['in_progress', null]);
    expect(await stateOf(second)).toEqual(['ready', 'line']);
    // Looking again from time to time changes nothing.
    fixture.clock.advance(6 * MINUTE);
    await fixture.work();
    expect(await fixture.historyOf(second)).toEqual(['Waiting for a free line.']);
    await end(first);
    await fixture.work();
    expect(await stateOf(second)).toEqual(['in_progress', null]);
    expect(await stateOf(third)).toEqual(['ready', 'line']);
    expect(calledNumbers()).toEqual([A, B]);
  });

  test('one call at once goes to a number, and the free line takes the next of another number', async () => {
    fixture.transports.lines = 2;
    const first = await send(A);
    const same = await send(A);
    await send(B);
    await fixture.work();
    expect(calledNumbers()).toEqual([A, B]);
    expect(await stateOf(same)).toEqual(['ready', 'number']);
    expect(await fixture.historyOf(same)).toEqual(['Waiting: another fax to this number is being sent.']);
    await end(first, 'failed');
    await fixture.work();
    expect(calledNumbers()).toEqual([A, B, A]);
  });

  test('a setting lets several calls go to one number', async () => {
    fixture.transports.lines = 3;
    for (let i = 0; i < 3; i += 1) await fixture.accept(A);
    await fixture.work(fixture.process(store.db, { callsPerNumber: () => 2 }));
    expect(calledNumbers()).toEqual([A, A]);
  });

  test('rule (outbound): faxes that wait for a line leave in order of arrival, urgent ones first', async () => {
    fixture.transports.lines = 1;
    const first = await send(A);
    await fixture.work();
    await send(B);
    await send(B);
    await send(C);
    await send(B, { urgent: 1, document_pages: 1 });
    await fixture.work();
    expect(calledNumbers()).toEqual([A]);
    await end(first);
    await fixture.work();
    expect(fixture.transports.begun).toHaveLength(2);
    await deliverAll();
    expect(calledNumbers()).toEqual([A, B, B, B, C]);
    const [, second] = await store.db.read
      .selectFrom('fax_attempt as a')
      .innerJoin('fax_job as j', 'j.id', 'a.job_id')
      .select('j.urgent')
      .where(
        'a.provider_sid',
        'in',
        fixture.transports.begun.map(({ reference }) => reference),
      )
      .orderBy('a.submitted_at')
      .orderBy('a.id')
      .execute();
    expect(second).toEqual({ urgent: 1 });
  });

  test('a fax that has waited a day for urgent ones goes before them', async () => {
    fixture.transports.lines = 1;
    const first = await send(A);
    const patient = await send(B);
    await fixture.work();
    fixture.clock.advance(25 * 60 * MINUTE);
    await send(C, { urgent: 1 });
    await fixture.work();
    await end(first);
    await fixture.work();
    expect((await stateOf(patient))[0]).toBe('in_progress');
  });

  test('a fax that was canceled gives its turn to the next', async () => {
    fixture.transports.lines = 1;
    const first = await send(A);
    const second = await send(B);
    const third = await send(C);
    await fixture.work();
    await end(first);
    const now = (await fixture.fax(second)).job;
    const command = { id: second.id, version: now.delivery_version, actor: SYSTEM };
    await fixture.main.parts.commands.cancel(command);
    await fixture.work();
    expect((await stateOf(third))[0]).toBe('in_progress');
    expect(await stateOf(second)).toEqual(['cancelled', null]);
  });

  test('a fax that is not taken gives its line back, and so does one with an unknown outcome', async () => {
    fixture.transports.lines = 1;
    fixture.transports.beginAnswers.push('try later', 'unknown', 'refuse');
    const faxes = [await send(A), await send(B), await send(C)];
    await fixture.work();
    expect(await Promise.all(faxes.map(stateOf))).toEqual([
      ['ready', null],
      ['reconciliation_required', null],
      ['failed', null],
    ]);
    fixture.clock.advance(MINUTE);
    await fixture.work();
    expect(calledNumbers()).toEqual([A, B, C, A]);
  });

  test('rule (outbound): calls never exceed the lines of an account and the calls allowed to a number, over restarts and several gateways', async () => {
    fixture.transports.lines = 2;
    const faxes: JobRow[] = [];
    for (let i = 0; i < 6; i += 1) faxes.push(await fixture.accept(`+1202555020${i}`));
    const other = fixture.process(store.connectAgain());
    // SQLite has one process at a time: there the second gateway is the first one started again.
    if (kind === 'postgres') await Promise.all([fixture.work(), fixture.work(other)]);
    else await fixture.work();
    expect(fixture.transports.begun).toHaveLength(2);
    const read = await Promise.all(faxes.map((fax) => fixture.fax(fax)));
    const one = read.find((fax) => fax.job.delivery_state === 'in_progress');
    if (!one) throw new Error('none is being sent');
    await end(one.job, 'success', other);
    await fixture.work(other);
    if (kind === 'postgres') await Promise.all([fixture.work(), fixture.work(other)]);
    expect(fixture.transports.begun).toHaveLength(3);
  });

  test('a provider that sees to its calls itself is given everything at once', async () => {
    for (let i = 0; i < 3; i += 1) await send(A);
    await fixture.work();
    expect(calledNumbers()).toEqual([A, A, A]);
    const calls = store.db.read.selectFrom('fax_call').selectAll().where('ended_at', 'is', null);
    expect(await calls.execute()).toEqual([]);
  });
});
