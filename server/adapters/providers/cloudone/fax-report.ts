import { dividedHalfUp, moneyOf, roundedMillionths } from '../../../../shared/money.ts';
import type { TransportReport } from '../../../features/outbound/transport-port.ts';
import { type Failure, failureFacts, NO_FAILURE, noAnswerReason } from '../fax-errors.ts';
import { plainText } from '../plain-text.ts';
import { positive, utcTime } from '../wire-values.ts';
import type { WireFax, WireRecipient } from './wire.ts';

/** Maps a fax object to the gateway's report. An unrecognized status is never an outcome. */
export function reportOf(fax: WireFax): TransportReport {
  const outcome = outcomeOf(fax.status);
  const finished = outcome !== 'in_progress';
  const recipient = fax.recipients?.[0];
  return {
    reference: fax.id,
    outcome,
    rawStatus: plainText(fax.status, 40),
    direction: fax.direction === 'sent' || fax.direction === 'received' ? fax.direction : null,
    // Of a fax that failed it is the length of the document, and no page is confirmed.
    pages: outcome === 'failed' ? null : positive(fax.num_pages),
    documentPages: positive(fax.num_pages),
    rateBps: positive(recipient?.bitrate),
    cost: finished ? costOf(fax) : null,
    completedAt: finished ? utcTime(fax.completed_at ?? recipient?.completed_at) : null,
    to: receiverOf(fax, recipient),
    ...(outcome === 'failed' ? failureOf(fax) : NO_FAILURE),
    ...callOf(fax, outcome),
  };
}

function outcomeOf(status: string): TransportReport['outcome'] {
  if (status === 'success') return 'success';
  return status === 'failure' || status === 'partialsuccess' ? 'failed' : 'in_progress';
}

function failureOf(fax: WireFax): Failure {
  const failed = fax.recipients?.find((recipient) => hasError(recipient));
  const source = failed ?? fax;
  const facts = failureFacts({
    type: source.error_type || null,
    id: source.error_id ?? null,
    message: source.error_message || null,
  });
  if (fax.status !== 'partialsuccess') return facts;
  return { ...facts, failure: `Not every recipient got the fax. ${facts.failure}` };
}

/**
 * Returns the facts of the call. An earlier try that the vendor made by itself may have got through, so only its first
 * call proves that no page was transmitted.
 */
function callOf(
  { status, recipients, error_type, error_id }: WireFax,
  outcome: TransportReport['outcome'],
): Pick<TransportReport, 'unreached' | 'noPageTransmitted'> {
  const [recipient, another] = recipients ?? [];
  const isWhole = outcome === 'failed' && status !== 'partialsuccess' && another === undefined;
  const source = recipient && hasError(recipient) ? recipient : { error_type, error_id };
  const error = { type: source.error_type || null, id: source.error_id ?? null };
  const unreached = isWhole ? noAnswerReason(error) : null;
  return { unreached, noPageTransmitted: unreached !== null && recipient?.retry_count === 0 };
}

function hasError(recipient: WireRecipient): boolean {
  return Boolean(recipient.error_id) || Boolean(recipient.error_type) || Boolean(recipient.error_message);
}

/** Parses the cost, in cents. The vendor reports 0 both for free and for not yet available, so 0 is unknown. */
function costOf(fax: WireFax): TransportReport['cost'] {
  const cents = roundedMillionths(fax.cost ?? '');
  return cents === null || cents === 0n ? null : moneyOf(dividedHalfUp(cents, 100n), 'USD');
}

function receiverOf(fax: WireFax, recipient: WireRecipient | undefined): string | null {
  const receiver =
    fax.direction === 'received' ? fax.to_number : recipient?.phone_number || recipient?.number;
  return receiver || fax.to_number || null;
}
