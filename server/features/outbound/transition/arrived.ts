import type { AttemptRow, JobRow } from '../types.ts';
import { type Change, change } from './change.ts';
import type { Fact, Fax } from './fact.ts';

/** Returns the warning that a fax may arrive or have arrived twice, with the advice for its present state; null for none. */
export function arrivalWarning(
  job: Pick<JobRow, 'arrival_warning' | 'delivery_state'>,
  attempt: Pick<AttemptRow, 'phase'> | null,
): string | null {
  if (job.arrival_warning === null) return null;
  const isOnlyEarlier = job.delivery_state === 'success' && attempt?.phase !== 'success';
  return isOnlyEarlier ? job.arrival_warning : `${job.arrival_warning} ${adviceFor(job)}`;
}

function adviceFor({ delivery_state }: Pick<JobRow, 'delivery_state'>): string {
  switch (delivery_state) {
    case 'held':
    case 'ready':
    case 'preparing':
      return 'Check with the recipient before it is sent again.';
    case 'submitting':
    case 'in_progress':
    case 'reconciliation_required':
      return 'The fax may arrive twice.';
    case 'success':
      return 'The fax may have arrived twice.';
    case 'failed':
    case 'cancelled':
      return 'The fax may have arrived anyway.';
    default:
      return delivery_state satisfies never;
  }
}

/**
 * Returns the change for an earlier attempt that was delivered after all, while another one is still to begin, is under
 * way or has ended.
 */
export function arrivedBefore({ job }: Fax, { who, reference }: Extract<Fact, { kind: 'arrived' }>): Change {
  const sentence = `${who} reported an earlier attempt as delivered later (ID ${reference}).`;
  return warnOfArrival(job, { sentence, isProved: true });
}

/**
 * Returns the change that warns that a fax was or may have been delivered before. A fax that has not left is held, one
 * under way takes no further route, and an ended one stays as recorded. The same warning does not hold a fax twice,
 * since a person released it.
 */
export function warnOfArrival(
  job: JobRow,
  { sentence, isProved }: { readonly sentence: string; readonly isProved: boolean },
): Change {
  const text = `${sentence} ${adviceFor(job)}`;
  if (job.arrival_warning === sentence) return change({ history: { kind: 'late_report', text, once: true } });
  const facts = { arrival_warning: sentence, arrival_proved: isProved ? 1 : 0 } as const;
  const history = { kind: 'late_report', text, once: true } as const;
  switch (job.delivery_state) {
    case 'ready':
    case 'preparing':
      return change({
        facts: { ...facts, waits_for: null },
        history: { kind: 'held', text },
        moves: job.delivery_state === 'preparing' ? ['ready', 'held'] : ['held'],
        event: 'job_updated',
        queue: 'withdraw',
      });
    case 'submitting':
    case 'in_progress':
    case 'reconciliation_required':
      return change({ facts, history, attempt: { ends_here: 1 }, event: 'job_updated' });
    case 'held':
    case 'success':
    case 'failed':
    case 'cancelled':
      return change({ facts, history, event: 'job_updated' });
    default:
      return job.delivery_state satisfies never;
  }
}

/**
 * Adjusts the change of a fax that was or may have been delivered before: nothing of it is sent again automatically,
 * and where delivery is proved, a failed newest attempt does not make the fax failed, unless a person decides so.
 */
export function afterArrival({ job }: Fax, fact: Fact, found: Change): Change {
  if (job.arrival_warning === null || fact.kind === 'decided' || fact.kind === 'released') return found;
  if (job.delivery_state === 'held' || job.delivery_state === 'preparing') return found;
  const last = found.moves.at(-1);
  if (last === 'ready') return heldAgain(job, found);
  if (last !== 'failed') return found;
  if (job.arrival_proved === 0) return { ...found, queue: null };
  return {
    ...found,
    moves: [...found.moves.slice(0, -1), 'success'],
    facts: { ...found.facts, error: null, pages: job.document_pages, delivered_by: 'provider' },
    history: {
      kind: 'success',
      text: `${found.history?.text ?? 'Not delivered.'} An earlier attempt was delivered.`,
    },
    event: 'job_updated',
    queue: null,
  };
}

function heldAgain({ arrival_proved }: JobRow, found: Change): Change {
  const was = arrival_proved === 1 ? 'was' : 'may have been';
  return {
    ...found,
    moves: [...found.moves, 'held'],
    attempt: { ...found.attempt, waiting_since: null, retry_at: null },
    history: {
      kind: 'held',
      text: `Held: nothing was sent this time, and an earlier attempt ${was} delivered.`,
    },
    event: 'job_updated',
    queue: 'withdraw',
  };
}
