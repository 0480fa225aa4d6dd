import { type Change, change } from './change.ts';
import type { Fact, Fax } from './fact.ts';

/**
 * An earlier attempt was delivered after all, while another one is to be made, goes on or has ended. What has not left is
 * held, what is under way goes to no further route, and what has ended stays as it is recorded; each with a warning.
 */
export function arrivedBefore({ job }: Fax, { who, reference }: Extract<Fact, { kind: 'arrived' }>): Change {
  const sentence = `${who} reported an earlier attempt as delivered later (ID ${reference}).`;
  const told = (advice: string) => {
    const text = `${sentence} ${advice}`;
    return { facts: { arrival_warning: text }, history: { kind: 'late_report', text, once: true } as const };
  };
  switch (job.delivery_state) {
    case 'ready':
    case 'preparing':
      return change({
        ...told('It is held: check with the recipient before it is sent again.'),
        moves: job.delivery_state === 'preparing' ? ['ready', 'held'] : ['held'],
        event: 'job_updated',
        queue: 'withdraw',
      });
    case 'held':
      return change({ ...told('Check with the recipient before it is sent again.'), event: 'job_updated' });
    case 'submitting':
    case 'in_progress':
    case 'reconciliation_required':
      return change({
        ...told('The fax may arrive twice.'),
        attempt: { ends_here: 1 },
        event: 'job_updated',
      });
    case 'success':
      return change({ ...told('The fax may have arrived twice.'), event: 'job_updated' });
    case 'failed':
    case 'cancelled':
      return change({ ...told('The fax may have arrived all the same.'), event: 'job_updated' });
    default:
      return job.delivery_state satisfies never;
  }
}

/**
 * What becomes of a fax whose earlier attempt was delivered: nothing of it is sent again by itself, and that the newest
 * attempt fails does not make it one that failed, unless a person says so.
 */
export function afterArrival({ job }: Fax, fact: Fact, found: Change): Change {
  if (job.arrival_warning === null || fact.kind === 'decided' || fact.kind === 'released') return found;
  if (job.delivery_state === 'held' || job.delivery_state === 'preparing') return found;
  const last = found.moves.at(-1);
  if (last === 'ready')
    return {
      ...found,
      moves: [...found.moves, 'held'],
      attempt: { ...found.attempt, waiting_since: null, retry_at: null },
      history: {
        kind: 'held',
        text: 'Held: nothing was sent this time, and an earlier attempt was delivered.',
      },
      event: 'job_updated',
      queue: 'withdraw',
    };
  if (last !== 'failed') return found;
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
