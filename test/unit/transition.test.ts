import { describe, expect, test } from 'vitest';
import { mayEnter } from '../../server/features/outbound/attempt-state.ts';
import { isTerminal, mayTransition } from '../../server/features/outbound/delivery-state.ts';
import { arrivalWarning } from '../../server/features/outbound/transition/arrived.ts';
import type { Change } from '../../server/features/outbound/transition/change.ts';
import type { Fact, FactKind, Fax } from '../../server/features/outbound/transition/fact.ts';
import { acceptedReport } from '../../server/features/outbound/transition/report.ts';
import { transition } from '../../server/features/outbound/transition/transition.ts';
import { EMPTY_REPORT } from '../../server/features/outbound/transport-port.ts';
import {
  ATTEMPT_PHASES,
  type AttemptPhase,
  DELIVERY_STATES,
  type DeliveryState,
} from '../../shared/states/outbound.ts';
import { attemptRow, faxRow } from '../setup/outbound-rows.ts';

const AT = '2026-11-22T10:00:00.000Z';
const refusal = { sentence: 'The line is busy.', category: 'provider_unavailable' } as const;
const delivered = { ...acceptedReport('7'), outcome: 'success', pages: 1 } as const;

/** One of each kind, and more where a kind has several meanings: a kind that is new does not compile before it is here. */
const FACTS: Record<FactKind, readonly Fact[]> = {
  released: [{ kind: 'released' }],
  held: [{ kind: 'held', text: 'Held.' }],
  cancelled: [{ kind: 'cancelled' }],
  rescheduled: [
    {
      kind: 'rescheduled',
      times: { send_at: null, send_by: null, send_when: 'now', hours_at: null, hours_reason: null },
      text: 'Sent now.',
    },
  ],
  hours: [
    { kind: 'hours', hours_at: '2026-11-23T08:00:00.000Z', hours_reason: 'Waits until 8:00.' },
    { kind: 'hours', hours_at: null, hours_reason: null },
  ],
  too_late: [{ kind: 'too_late', sentence: 'It could not be sent by 8:00.' }],
  waits: [
    { kind: 'waits', for: 'line' },
    { kind: 'waits', for: 'number' },
  ],
  begun: [{ kind: 'begun', attempt: attemptRow('a', { phase: 'preparing' }), isNew: true }],
  switched_off: [{ kind: 'switched_off' }],
  put_back: [{ kind: 'put_back' }],
  parted: [{ kind: 'parted' }],
  submitting: [{ kind: 'submitting', limits: null }],
  unreadable: [{ kind: 'unreadable', sentence: 'The disk is away.' }],
  unsendable: [{ kind: 'unsendable', sentence: 'The document is gone.' }],
  try_later: [{ kind: 'try_later', ...refusal, retryAfterMs: null }],
  not_accepted: [{ kind: 'not_accepted', ...refusal }],
  reported: [
    { kind: 'reported', report: acceptedReport('7') },
    { kind: 'reported', report: delivered },
    { kind: 'reported', report: { ...delivered, pages: 0 } },
    { kind: 'reported', report: { ...delivered, outcome: 'failed' } },
    { kind: 'reported', report: { ...delivered, outcome: 'failed', pages: 0, noPageTransmitted: true } },
    {
      kind: 'reported',
      report: { ...delivered, outcome: 'failed', unreached: 'busy', noPageTransmitted: true },
    },
  ],
  unknown: [{ kind: 'unknown', reason: 'Nobody knows.', category: null, reference: '7' }],
  arrived: [{ kind: 'arrived', who: 'Route “One”', reference: '7' }],
  worker_lost: [{ kind: 'worker_lost' }],
  silent: [{ kind: 'silent' }],
  decided: [
    { kind: 'decided', outcome: 'success', note: 'asked', by: 'Ada' },
    { kind: 'decided', outcome: 'failed', note: 'asked', pagesArrived: 0, by: 'Ada' },
  ],
  not_reached: [{ kind: 'not_reached', askAgainAt: '2026-11-21T09:00:00.000Z', text: 'No answer.' }],
  asks_again: [{ kind: 'asks_again' }],
  stopped: [{ kind: 'stopped', by: 'Ada' }],
};

/** In which phases the newest attempt of a fax may be; null: it has none. */
const PHASES: Record<DeliveryState, ReadonlyArray<AttemptPhase | null>> = {
  held: [null, 'preparing', 'failed'],
  ready: [null, 'preparing', 'failed'],
  preparing: ['preparing'],
  submitting: ['submitting'],
  in_progress: ['in_progress'],
  reconciliation_required: ['uncertain'],
  success: ['success'],
  failed: [null, 'failed', 'cancelled'],
  cancelled: [null, 'cancelled', 'failed'],
};

function faxesIn(state: DeliveryState): Fax[] {
  return [1, 2].flatMap((plan_steps) =>
    (['provider', 'own_number', 'direct'] as const).flatMap((transport) =>
      PHASES[state].map((phase) => {
        const job = Object.freeze(faxRow({ delivery_state: state, plan_steps }));
        const ends_here = phase === 'uncertain' ? 1 : 0;
        return { job, attempt: phase && Object.freeze(attemptRow(job.id, { phase, transport, ends_here })) };
      }),
    ),
  );
}

function statesPassed({ job }: Fax, { moves }: Change): [DeliveryState, DeliveryState][] {
  return moves.map((to, i) => [moves[i - 1] ?? job.delivery_state, to]);
}

describe.each(DELIVERY_STATES)('a fax that is %s', (state) => {
  test.each(Object.keys(FACTS) as FactKind[])(
    'rule (outbound): one pure function computes what a fact does to a sent fax, within the tables of states [%s]',
    (kind) => {
      for (const fax of faxesIn(state)) {
        for (const fact of FACTS[kind]) {
          const change = transition(fax, fact, AT);
          expect(transition(fax, fact, AT)).toEqual(change);
          if (!change) continue;
          for (const [from, to] of statesPassed(fax, change))
            expect(mayTransition(from, to), `${from} to ${to}`).toBe(true);
          const phase = change.attempt?.phase;
          if (phase && fax.attempt) expect(mayEnter(fax.attempt.phase, phase), `phase ${phase}`).toBe(true);
          // The arrival of an earlier attempt is a warning, in any state of the fax.
          const facts = kind === 'arrived' ? { arrival_warning: expect.any(String) as string } : {};
          if (isTerminal(state))
            expect(change).toMatchObject({ moves: [], facts, attempt: null, queue: null });
        }
      }
    },
  );
});

test('every phase of an attempt has its place beside a state of its fax, but those of nobody', () => {
  const used = new Set(Object.values(PHASES).flat());
  expect(ATTEMPT_PHASES.filter((phase) => !used.has(phase))).toEqual(['abandoned']);
});

test('what certainly was not taken goes to the next step while the plan has one, and ends the fax after the last', () => {
  const job = faxRow({ delivery_state: 'submitting', plan_steps: 2 });
  const notAccepted = FACTS.not_accepted[0] as Fact;
  const first = transition({ job, attempt: attemptRow(job.id, { step: 1 }) }, notAccepted, AT);
  expect(first).toMatchObject({ moves: ['ready'], queue: 'dispatch', history: { kind: 'next_step' } });
  const last = transition({ job, attempt: attemptRow(job.id, { step: 2 }) }, notAccepted, AT);
  expect(last).toMatchObject({ moves: ['failed'], queue: null, history: { kind: 'failed' } });
});

test('what somebody wanted stopped, or was restored, goes to no other step and is not tried again', () => {
  const job = faxRow({ delivery_state: 'in_progress', plan_steps: 3 });
  const busy = FACTS.reported.at(-1) as Fact;
  const after = (ends_here: 0 | 1) =>
    transition({ job, attempt: attemptRow(job.id, { phase: 'in_progress', ends_here }) }, busy, AT);
  expect(after(0)).toMatchObject({ moves: ['ready'], queue: 'dispatch' });
  expect(after(1)).toMatchObject({ moves: ['failed'], queue: null });
});

test('a fax with an open question goes to no other step and is not tried again, whatever proof comes later', () => {
  const job = faxRow({ delivery_state: 'in_progress', plan_steps: 3 });
  const attempt = attemptRow(job.id, { phase: 'in_progress' });
  for (const doubt of [...FACTS.unknown, { kind: 'silent' } as const]) {
    const asked = transition({ job, attempt }, doubt, AT);
    expect(asked?.moves).toEqual(['reconciliation_required']);
    const uncertain = { ...attempt, ...asked?.attempt };
    const again = { ...uncertain, phase: 'in_progress' } as const;
    for (const fact of [...FACTS.not_accepted, ...FACTS.try_later, ...FACTS.reported])
      for (const fax of [
        { job: { ...job, delivery_state: 'reconciliation_required' } as const, attempt: uncertain },
        { job, attempt: again },
      ]) {
        const found = transition(fax, fact, AT);
        expect(found?.moves ?? []).not.toContain('ready');
        expect(['dispatch', 'try_again']).not.toContain(found?.queue);
      }
  }
});

test('a fax whose earlier attempt arrived is sent no more by itself, and does not fail', () => {
  const earlier = 'Route “One” reported an earlier attempt as delivered later (ID 7).';
  const busy = FACTS.reported.at(-1) as Fact;
  const after = (state: 'submitting' | 'in_progress', fact: Fact | undefined) => {
    const job = faxRow({ delivery_state: state, plan_steps: 3, arrival_warning: earlier, arrival_proved: 1 });
    return transition({ job, attempt: attemptRow(job.id, { phase: state, ends_here: 1 }) }, fact as Fact, AT);
  };
  expect(after('in_progress', busy)).toMatchObject({
    moves: ['success'],
    facts: { error: null, delivered_by: 'provider' },
    attempt: { phase: 'failed' },
    queue: null,
  });
  expect(after('submitting', FACTS.not_accepted[0])?.moves).toEqual(['success']);
  expect(after('submitting', FACTS.try_later[0])).toMatchObject({
    moves: ['ready', 'held'],
    queue: 'withdraw',
  });
  expect(after('in_progress', FACTS.reported[1])?.moves).toEqual(['success']);
});

test('a worker that is lost while a fax goes out leaves a question, but to our own number nothing was delivered', () => {
  const job = faxRow({ delivery_state: 'submitting' });
  const after = (transport: 'provider' | 'own_number') =>
    transition({ job, attempt: attemptRow(job.id, { transport }) }, { kind: 'worker_lost' }, AT);
  expect(after('provider')).toMatchObject({ moves: ['reconciliation_required'], queue: null });
  expect(after('own_number')).toMatchObject({
    moves: ['ready'],
    attempt: { phase: 'preparing', submitted_at: null },
    history: null,
    queue: 'dispatch',
  });
});

test('rule (outbound): a worker that is lost while a document goes directly leaves the question to the partner, who has our ID', () => {
  const job = faxRow({ delivery_state: 'submitting', plan_steps: 2 });
  const attempt = attemptRow(job.id, { transport: 'direct', phase: 'submitting' });
  const provider_sid = attempt.id.replaceAll('-', '');
  expect(transition({ job, attempt }, { kind: 'worker_lost' }, AT)).toMatchObject({
    moves: ['in_progress'],
    facts: { provider_sid },
    attempt: { phase: 'in_progress', provider_sid },
    queue: 'poll',
  });
});

test('rule (outbound): a document that the partner certainly did not get goes on as an ordinary fax, one without an answer never does', () => {
  const job = faxRow({ delivery_state: 'in_progress', plan_steps: 2 });
  const attempt = attemptRow(job.id, {
    transport: 'direct',
    phase: 'in_progress',
    submitted_at: AT,
    provider_sid: 'a'.repeat(32),
  });
  const report = {
    ...EMPTY_REPORT,
    reference: 'a'.repeat(32),
    outcome: 'failed',
    rawStatus: 'not_received',
    failure: 'The partner did not receive it.',
    noPageTransmitted: true,
  } as const;
  const fact = { kind: 'reported', report } as const;
  const next = transition({ job, attempt }, fact, AT);
  expect(next).toMatchObject({ moves: ['ready'], attempt: { phase: 'failed' }, queue: 'dispatch' });
  expect(next?.history?.text).toBe(
    'The partner did not receive it. Nothing was delivered directly. It is sent as an ordinary fax.',
  );
  const silent = transition({ job, attempt }, { kind: 'silent' }, AT, {
    provider: 'the partner',
    next: null,
  });
  expect(silent).toMatchObject({ moves: ['reconciliation_required'], attempt: { ends_here: 1 } });
  expect(silent?.facts.reconciliation_reason).toBe(
    'The partner has not reported an outcome for a day. Check with the recipient, then decide.',
  );
  // A person was asked, so it is not sent automatically any more.
  const asked = faxRow({ delivery_state: 'reconciliation_required', plan_steps: 2 });
  const uncertain = { ...attempt, phase: 'uncertain', ends_here: 1 } as const;
  expect(transition({ job: asked, attempt: uncertain }, fact, AT)).toMatchObject({ moves: ['failed'] });
});

test('a report of a fax that the provider said it had not taken holds what would be sent again, with a warning', () => {
  const job = faxRow({ delivery_state: 'ready', plan_steps: 3 });
  const attempt = attemptRow(job.id, { phase: 'preparing', waiting_since: AT });
  const [goesOn, whole, none] = FACTS.reported as [Fact, Fact, Fact];
  const busy = FACTS.reported.at(-1) as Fact;
  const advice = 'Check with the recipient before it is sent again.';
  for (const [fact, arrival_proved] of [
    [goesOn, 0],
    [whole, 1],
    [none, 0],
  ] as const) {
    const found = transition({ job, attempt }, fact, AT);
    expect(found).toMatchObject({ moves: ['held'], queue: 'withdraw', facts: { arrival_proved } });
    const held = { ...job, ...found?.facts, delivery_state: 'held' } as const;
    expect(arrivalWarning(held, attempt)).toBe(found?.history?.text);
    expect(found?.history?.text.endsWith(advice)).toBe(true);
    // Released by a person, it is held by the same report no more, and never goes on by itself.
    expect(transition({ job: { ...held, delivery_state: 'ready' }, attempt }, fact, AT)?.moves).toEqual([]);
    const going = { ...attempt, phase: 'in_progress' } as const;
    const after = (plan_steps: number) =>
      transition({ job: { ...held, delivery_state: 'in_progress', plan_steps }, attempt: going }, busy, AT);
    expect(after(3)).toMatchObject({ moves: ['ready', 'held'], queue: 'withdraw' });
    expect(after(1)).toMatchObject({ moves: [arrival_proved === 1 ? 'success' : 'failed'], queue: null });
  }
  // A warning without proof gives way to one with it.
  const unproved = { ...job, ...transition({ job, attempt }, goesOn, AT)?.facts };
  expect(transition({ job: unproved, attempt }, whole, AT)?.facts).toMatchObject({ arrival_proved: 1 });
  expect(transition({ job: unproved, attempt }, FACTS.arrived[0] as Fact, AT)?.facts).toMatchObject({
    arrival_proved: 1,
  });
});
