import { type Change, change } from './change.ts';
import type { Fact, Fax } from './fact.ts';

const WORKER_LOST =
  'The gateway stopped while the fax was being submitted to the provider. Check with the recipient, then decide.';
const SILENT = 'The provider has not reported an outcome for a day. Check with the recipient, then decide.';

/** The outcome cannot be known: a person decides. Where there is a reference, the transport is still asked. */
export function unconfirmed(
  { job, attempt }: Fax,
  uncertainty: Omit<Extract<Fact, { kind: 'unknown' }>, 'kind'>,
): Change | null {
  const { reason, category, reference } = uncertainty;
  const learned = reference !== undefined && attempt !== null && attempt.provider_sid === null;
  const known = reference === undefined ? {} : { provider_sid: reference };
  const asked = learned ? { attempt: { provider_sid: reference }, queue: 'poll' as const } : {};
  const facts = { reconciliation_reason: reason, ...known };
  switch (job.delivery_state) {
    case 'reconciliation_required':
      return job.reconciliation_reason === reason ? null : change({ facts, ...asked });
    case 'submitting':
    case 'in_progress':
      return change({
        ...asked,
        moves: ['reconciliation_required'],
        facts,
        attempt: { ...asked.attempt, phase: 'uncertain', error_category: category },
        history: { kind: 'reconciliation_required', text: reason },
        event: 'job_updated',
      });
    default:
      return null;
  }
}

/** Before `submitting` nothing was sent; from then on nobody can know. */
export function workerLost(fax: Fax): Change | null {
  switch (fax.job.delivery_state) {
    case 'submitting':
      return unconfirmed(fax, { reason: WORKER_LOST, category: 'worker_lost' });
    case 'preparing':
      return change({ moves: ['ready'], queue: 'dispatch' });
    case 'ready':
      return change({ queue: 'dispatch' });
    default:
      return null;
  }
}

/** A provider ends a fax within minutes; after a day without an outcome a person is asked. */
export function silent(fax: Fax): Change | null {
  if (fax.job.delivery_state !== 'in_progress') return null;
  return unconfirmed(fax, { reason: SILENT, category: null });
}
