import { type Change, change } from './change.ts';
import type { Fact, Fax } from './fact.ts';
import { notAccepted, notSent, tryLater } from './refusal.ts';
import { onReport } from './report.ts';
import { silent, unconfirmed, workerLost } from './unconfirmed.ts';

/**
 * What a fact does to a fax. Pure: the same fax, fact and time give the same change. Null when the fact changes nothing,
 * because it came late, twice, or to a fax that it cannot concern. `at` is an ISO time.
 */
export function transition(fax: Fax, fact: Fact, at: string): Change | null {
  switch (fact.kind) {
    case 'released':
      return released(fax);
    case 'held':
      return held(fax, fact.text);
    case 'cancelled':
      return cancelled(fax, at);
    case 'begun':
      return begun(fax, fact);
    case 'switched_off':
      return fax.job.delivery_state === 'preparing' ? change({ moves: ['ready'] }) : null;
    case 'submitting':
      return submitting(fax, at);
    case 'unsendable':
      return notSent(fax, { sentence: fact.sentence, category: 'artifact_unavailable' }, at);
    case 'try_later':
      return tryLater(fax, fact, at);
    case 'not_accepted':
      return notAccepted(fax, fact, at);
    case 'reported':
      return onReport(fax, fact.report, at);
    case 'unknown':
      return unconfirmed(fax, fact);
    case 'worker_lost':
      return workerLost(fax);
    case 'silent':
      return silent(fax);
    case 'decided':
      return decided(fax, fact, at);
    case 'stopped':
      return stopped(fax, fact.by, at);
    default:
      return fact satisfies never;
  }
}

function released({ job }: Fax): Change | null {
  if (job.delivery_state !== 'held') return null;
  return change({
    moves: ['ready'],
    history: { kind: 'released', text: 'Released for sending.' },
    event: 'job_updated',
    queue: 'dispatch',
  });
}

function held({ job, attempt }: Fax, text: string): Change | null {
  const history = { kind: 'held', text } as const;
  // What it waited before says nothing about the time after its release.
  const rested = attempt?.phase === 'preparing' ? { waiting_since: null, retry_at: null } : null;
  switch (job.delivery_state) {
    case 'held':
      return change({ history });
    case 'ready':
      return change({ moves: ['held'], attempt: rested, history, event: 'job_updated', queue: 'withdraw' });
    case 'preparing':
      return change({
        moves: ['ready', 'held'],
        attempt: rested,
        history,
        event: 'job_updated',
        queue: 'withdraw',
      });
    default:
      return null;
  }
}

function cancelled({ job, attempt }: Fax, at: string): Change | null {
  if (job.delivery_state !== 'held' && job.delivery_state !== 'ready') return null;
  return change({
    moves: ['cancelled'],
    facts: { error: 'Cancelled before it was sent.' },
    attempt: attempt?.phase === 'preparing' ? { phase: 'cancelled', completed_at: at } : null,
    history: { kind: 'cancelled', text: 'Cancelled before it was sent.' },
    event: 'job_updated',
    queue: 'withdraw',
  });
}

function begun({ job }: Fax, { attempt, isNew }: Extract<Fact, { kind: 'begun' }>): Change | null {
  if (job.delivery_state !== 'ready') return null;
  return change({
    moves: ['preparing'],
    facts: isNew ? { account_id: attempt.provider_account, backend: attempt.backend } : {},
    begins: isNew ? attempt : null,
  });
}

function submitting({ job, attempt }: Fax, at: string): Change | null {
  if (job.delivery_state !== 'preparing' || !attempt) return null;
  const text = `Submitting to the provider, attempt ${attempt.number}.`;
  const line = { kind: 'submitting', text } as const;
  return change({
    moves: ['submitting'],
    attempt: { phase: 'submitting', submitted_at: at, error_category: null },
    // An attempt that is made again and again tells so once.
    history: attempt.waiting_since === null ? line : { ...line, once: true },
    event: 'job_dispatch',
  });
}

function decided({ job }: Fax, fact: Extract<Fact, { kind: 'decided' }>, at: string): Change | null {
  if (job.delivery_state !== 'reconciliation_required') return null;
  const { outcome, note, by } = fact;
  const success = outcome === 'success';
  return change({
    moves: [outcome],
    facts: {
      reconciliation_reason: null,
      error: success ? null : `Recorded as not delivered by ${by}.`,
      decided_by_name: by,
      decided_note: note,
    },
    attempt: { phase: outcome, completed_at: at },
    history: {
      kind: 'reconciled',
      text: `Recorded as ${success ? 'delivered' : 'not delivered'} by ${by}: ${note}`,
    },
    event: success ? 'job_updated' : 'job_failed',
  });
}

function stopped({ job }: Fax, by: string, at: string): Change | null {
  if (job.delivery_state !== 'in_progress') return null;
  const sentence = `Stopped by ${by} before it was delivered.`;
  return change({
    moves: ['failed'],
    facts: { error: sentence },
    attempt: { phase: 'cancelled', completed_at: at },
    history: { kind: 'cancelled', text: sentence },
    event: 'job_failed',
  });
}
