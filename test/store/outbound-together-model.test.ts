import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isTerminal } from '../../server/features/outbound/delivery-state.ts';
import { type JobRow, SYSTEM } from '../../server/features/outbound/types.ts';
import { MINUTE } from '../setup/manual-clock.ts';
import { type OutboundFixture, openOutboundFixture } from '../setup/outbound-fixture.ts';
import type { Answer, ScriptedCall } from '../setup/scripted-transports.ts';
import { openStore, type TestStore } from '../setup/stores.ts';

/** Fixed, so that a failure can be repeated; fast-check prints the shortest sequence of events. */
const SEED = 20_261_123;
const RUNS = 60;

let store: TestStore;
beforeAll(async () => {
  store = await openStore('sqlite');
});
afterAll(() => store.close());

const answer = fc.constantFrom<Answer>('accept', 'accept', 'try later', 'refuse', 'unknown', 'hang');
const reach = fc.constantFrom<Answer>('accept', 'try later', 'refuse', 'hang');
const which = fc.nat({ max: 5 });
const storyEvent = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      what: fc.constant('accept'),
      pages: fc.integer({ min: 1, max: 3 }),
      how: fc.constantFrom('together', 'together', 'now', 'urgent'),
    }),
  },
  { weight: 6, arbitrary: fc.record({ what: fc.constant('work') }) },
  { weight: 4, arbitrary: fc.record({ what: fc.constant('time'), minutes: fc.constantFrom(1, 6) }) },
  { weight: 3, arbitrary: fc.record({ what: fc.constant('answer'), answer }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('reach'), answer: reach }) },
  {
    weight: 4,
    arbitrary: fc.record({
      what: fc.constant('report'),
      which,
      outcome: fc.constantFrom('success', 'failed', 'failed', 'unconfirmed'),
      pages: fc.constantFrom(null, 0, 1, 2, 3, 4, 5, 100),
    }),
  },
  { weight: 2, arbitrary: fc.record({ what: fc.constantFrom('cancel', 'decide', 'send now'), which }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constantFrom('kill') }) },
);
type StoryEvent = typeof storyEvent extends fc.Arbitrary<infer T> ? T : never;

const idsIn = ({ content }: ScriptedCall) => [
  ...new Set([...content.matchAll(/<([^>]+)>/gu)].map(([, id]) => id)),
];
const pagesOf = ({ content }: ScriptedCall) =>
  content.split('<').length - 1 + (content.startsWith('list') ? 1 : 0);

/** Random events of some faxes to one number, and of the present worker. */
class Story {
  readonly #fixture: OutboundFixture;
  readonly #to: string;
  readonly #faxes: JobRow[] = [];
  readonly #ended = new Map<string, JobRow>();
  readonly #reports = new Map<string, { outcome: string; pages: number | null }>();

  constructor(fixture: OutboundFixture, to: string) {
    this.#fixture = fixture;
    this.#to = to;
  }

  async apply(event: StoryEvent): Promise<void> {
    const { transports, clock } = this.#fixture;
    switch (event.what) {
      case 'accept':
        return this.#accept(event.how, event.pages);
      case 'work':
        return this.work();
      case 'time':
        clock.advance(event.minutes * MINUTE);
        return;
      case 'answer':
        transports.beginAnswers.push(event.answer);
        return;
      case 'reach':
        transports.reachAnswers.push(event.answer);
        return;
      case 'report':
        return this.#report(event);
      case 'kill':
        return this.#kill();
      default:
        return this.#command(event.what, event.which);
    }
  }

  /** Runs the jobs that are due; a worker that hangs in a call is killed. */
  async work(): Promise<void> {
    const hung = this.#fixture.transports.waitUntilHung().then(() => true);
    const hangs = await Promise.race([this.#fixture.work().then(() => false), hung]);
    if (hangs) await this.#kill();
  }

  async settle(): Promise<void> {
    const { transports, clock } = this.#fixture;
    transports.beginAnswers.length = 0;
    transports.reachAnswers.length = 0;
    for (let round = 0; round < 8; round += 1) {
      for (const begun of transports.begun)
        if (!transports.outcomes.has(begun.reference))
          transports.outcomes.set(begun.reference, {
            outcome: 'success',
            noPageTransmitted: false,
            pages: pagesOf(begun),
          });
      await this.work();
      clock.advance(6 * MINUTE);
      await this.check();
    }
  }

  async check(): Promise<void> {
    for (const { id } of this.#faxes) {
      const { job } = await this.#fixture.fax({ id });
      const ended = this.#ended.get(id);
      if (ended) expect(job).toEqual(ended);
      if (isTerminal(job.delivery_state)) this.#ended.set(id, job);
      this.#checkCalls(id);
    }
  }

  async states(): Promise<string[]> {
    return Promise.all(this.#faxes.map((fax) => this.#fixture.stateOf(fax)));
  }

  /** Expects a second call with a fax only when the one before was certainly not accepted: its plan has one step. */
  #checkCalls(id: string): void {
    const calls = this.#fixture.transports.begun.filter((begun) => idsIn(begun).includes(id));
    for (const before of calls.slice(0, -1))
      expect(before.answer, `another call after ${before.answer}${before.lost ? ', lost' : ''}`).toBe(
        'try later',
      );
  }

  async #accept(how: string, pages: number): Promise<void> {
    const given = {
      document_pages: pages,
      send_now: how === 'now' ? 1 : 0,
      urgent: how === 'urgent' ? 1 : 0,
    } as const;
    this.#faxes.push(await this.#fixture.accept(this.#to, given, how === 'together' ? 5 : null));
  }

  /** Records the provider's report of a call, through any of its faxes; a first report never changes. */
  async #report({ which: i, outcome, pages }: { which: number; outcome: string; pages: number | null }) {
    const chosen = this.#faxes[i % Math.max(this.#faxes.length, 1)];
    if (!chosen) return;
    const fax = await this.#fixture.fax(chosen);
    const reference = fax.attempt?.provider_sid;
    const begun = this.#fixture.transports.begun.find((each) => each.reference === reference);
    if (!fax.attempt || !reference || !begun || begun.lost) return;
    const reported = this.#reports.get(reference) ?? {
      outcome,
      pages: pages === null ? null : Math.min(pages, pagesOf(begun)),
    };
    this.#reports.set(reference, reported);
    this.#fixture.transports.outcomes.set(reference, { ...reported, noPageTransmitted: false } as never);
    const report = this.#fixture.transports.report(reference);
    const { parts } = this.#fixture.main;
    const { job, attempt } = fax;
    await store.db.transaction((tx) => parts.reports.recordReport(tx, { job, attempt }, report, SYSTEM));
    await this.#checkShares(begun, reported);
  }

  /** Derives from the confirmed pages alone the faxes that are delivered, and those that must not be. */
  async #checkShares(
    begun: ScriptedCall,
    { outcome, pages }: { outcome: string; pages: number | null },
  ): Promise<void> {
    let next = begun.content.startsWith('list') ? 1 : 0;
    for (const id of idsIn(begun)) {
      const { job } = await this.#fixture.fax({ id: id ?? '' });
      next += job.document_pages;
      if (pages === null || job.decided_by_name !== null) continue;
      const arrived = pages >= next;
      const alone = idsIn(begun).length === 1;
      if (!arrived) expect(job.delivery_state).not.toBe('success');
      else if (!alone || outcome === 'success') expect(job.delivery_state).toBe('success');
    }
  }

  async #command(what: 'cancel' | 'decide' | 'send now', i: number): Promise<void> {
    const chosen = this.#faxes[i % Math.max(this.#faxes.length, 1)];
    if (!chosen) return;
    const { id, delivery_version } = (await this.#fixture.fax(chosen)).job;
    const { parts } = this.#fixture.main;
    const command = { id, version: delivery_version, actor: SYSTEM };
    const decision = { outcome: 'failed', note: 'asked', delivery_version } as const;
    const run = {
      cancel: () => parts.commands.cancel(command),
      decide: () => parts.commands.reconcile(command, decision),
      'send now': () => parts.commands.schedule(command, { sendAt: null }),
    }[what];
    await run().catch((error: unknown) => {
      if (!(error instanceof Error) || error.name !== 'FaxRefusalError') throw error;
    });
  }

  /** Kills the worker during its work; another one starts after the lease expired. */
  async #kill(): Promise<void> {
    for (const begun of this.#fixture.transports.begun) if (begun.answer === 'hang') begun.lost = true;
    this.#fixture.main = this.#fixture.process(store.db);
    this.#fixture.clock.advance(2 * MINUTE);
    await this.work();
  }
}

test('faxes sent together all settle, none is sent twice, and none that did not arrive is delivered, whatever happens', async () => {
  let many = 0;
  const ends = new Set<string>();
  const property = fc.asyncProperty(
    fc.constantFrom(null, 1),
    fc.array(storyEvent, { minLength: 5, maxLength: 30 }),
    async (lines, events) => {
      const fixture = await openOutboundFixture(store);
      fixture.transports.lines = lines;
      const story = new Story(fixture, '+12025550123');
      for (const event of events) {
        await story.apply(event);
        await story.check();
      }
      await story.settle();
      for (const state of await story.states()) {
        // A fax that still waits is waiting for a person.
        expect(['success', 'failed', 'cancelled', 'reconciliation_required']).toContain(state);
        ends.add(state);
      }
      many += fixture.transports.begun.filter((begun) => idsIn(begun).length > 1).length;
      await store.db.transaction(async (tx) => {
        await tx.deleteFrom('job').execute();
        await tx.deleteFrom('fax_call').execute();
        await tx.deleteFrom('fax_line_wait').execute();
      });
      await fixture.close();
    },
  );
  await fc.assert(property, { seed: SEED, numRuns: RUNS });
  expect([...ends].sort()).toEqual(['cancelled', 'failed', 'reconciliation_required', 'success']);
  expect(many).toBeGreaterThan(RUNS / 3);
}, 240_000);
