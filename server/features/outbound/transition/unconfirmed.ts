import { directReference } from '../transport-port.ts';
import type { AttemptRow } from '../types.ts';
import { type Change, change } from './change.ts';
import type { Fact, Fax } from './fact.ts';

const workerLostWhile = (provider: string) =>
  `Faxdesk stopped while the fax was being sent to ${provider}. Check with the recipient, then decide.`;
const LOST_WHILE_CALLING =
  'Faxdesk stopped while the call was starting. Faxdesk asks the telephone engine for the outcome.';
const silentFor = (provider: string) =>
  `${provider.charAt(0).toUpperCase()}${provider.slice(1)} has not reported an outcome for a day. Check with the recipient, then decide.`;

/** Returns true when the transport can report reliably on our attempt, because it received our ID. */
export function hasOurIds({ transport }: Pick<AttemptRow, 'transport'>): boolean {
  return transport === 'line' || transport === 'direct';
}

/**
 * Returns the change for an unknown outcome: a person decides. Where there is a reference, the transport is still
 * polled. From then on no further step is taken automatically, whatever a later report proves: a person may already
 * have acted.
 */
export function unconfirmed(
  { job, attempt }: Fax,
  uncertainty: Omit<Extract<Fact, { kind: 'unknown' }>, 'kind'>,
): Change | null {
  const { reason, category, reference, pages = null } = uncertainty;
  const learned = reference !== undefined && attempt !== null && attempt.provider_sid === null;
  const known = reference === undefined ? {} : { provider_sid: reference };
  const isFindable = attempt !== null && hasOurIds(attempt) && attempt.provider_sid === null;
  const asked = {
    ...(learned ? { attempt: { provider_sid: reference } } : {}),
    ...(learned || isFindable ? { queue: 'poll' as const } : {}),
  };
  const facts = { reconciliation_reason: reason, ...known };
  switch (job.delivery_state) {
    case 'reconciliation_required':
      return job.reconciliation_reason === reason ? null : change({ facts, ...asked });
    case 'submitting':
    case 'in_progress':
      return change({
        ...asked,
        moves: ['reconciliation_required'],
        facts: { ...facts, ask_again_at: null },
        attempt: {
          ...asked.attempt,
          phase: 'uncertain',
          ends_here: 1,
          error_category: category,
          ...(pages === null ? {} : { pages_sent: pages }),
        },
        history: { kind: 'reconciliation_required', text: reason },
        event: 'job_updated',
      });
    default:
      return null;
  }
}

/**
 * Returns the change after a lost worker. Before `submitting` nothing was sent; from then on the outcome is unknown,
 * except for an own number, where acceptance and outcome are recorded together or not at all, for a test fax, which
 * was handed to nobody, and for a partner, which answers reliably whether it has our ID.
 */
export function workerLost(fax: Fax, provider: string): Change | null {
  switch (fax.job.delivery_state) {
    case 'submitting':
      if (fax.attempt?.transport === 'own_number' || fax.attempt?.transport === 'test')
        return change({
          moves: ['ready'],
          attempt: { phase: 'preparing', submitted_at: null },
          queue: 'dispatch',
        });
      if (fax.attempt?.transport === 'direct') return askPartner(fax.attempt);
      return unconfirmed(fax, {
        reason: fax.attempt?.transport === 'line' ? LOST_WHILE_CALLING : workerLostWhile(provider),
        category: 'worker_lost',
      });
    case 'preparing':
      return change({ moves: ['ready'], queue: 'dispatch' });
    case 'ready':
      return change({ queue: 'dispatch' });
    default:
      return null;
  }
}

/** Returns the change for a fax whose ID a partner may have: the partner is asked, and nobody else. */
function askPartner({ id }: Pick<AttemptRow, 'id'>): Change {
  const provider_sid = directReference(id);
  return change({
    moves: ['in_progress'],
    facts: { provider_sid, reconciliation_reason: null, error: null },
    attempt: { phase: 'in_progress', provider_sid, error_category: 'worker_lost', waiting_since: null },
    history: { kind: 'in_progress', text: WAITING_FOR_RECEIPT },
    event: 'job_updated',
    queue: 'poll',
  });
}

/** Sentence of the history for a document whose receipt has not come. */
export const WAITING_FOR_RECEIPT =
  'The document may have arrived, but its signed receipt has not come. Faxdesk asks the partner’s installation until it answers.';

/**
 * Returns the change for a transport that stays silent: a provider ends a fax within minutes; after a day without an
 * outcome a person must decide.
 */
export function silent(fax: Fax, provider: string): Change | null {
  if (fax.job.delivery_state !== 'in_progress') return null;
  return unconfirmed(fax, { reason: silentFor(provider), category: null });
}
