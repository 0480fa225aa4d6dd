import { isCurrency, moneyOf, roundedMillionths } from '../../../../shared/money.ts';
import type { TransportReport } from '../../../features/outbound/transport-port.ts';
import { type Failure, failureFacts, NO_FAILURE, noAnswerReason } from '../fax-errors.ts';
import { plainText } from '../plain-text.ts';
import { e164Of, positive } from '../wire-values.ts';
import { timeOf, type WireFax } from './wire.ts';

/** Maps a fax object to the gateway's report. An unrecognized status is never an outcome. */
export function reportOf(fax: WireFax): TransportReport {
  const outcome = outcomeOf(fax.status);
  const finished = outcome !== 'in_progress';
  return {
    reference: fax.id,
    outcome,
    rawStatus: plainText(fax.status ?? '', 40),
    direction: directionOf(fax),
    // Of one that failed, the number of its pages says nothing of those that arrived.
    pages: positive(outcome === 'failed' ? fax.pagesSentSuccessfully : fax.numberOfPages),
    rateBps: null,
    cost: finished ? costOf(fax) : null,
    completedAt: finished ? timeOf(fax.completedTime) : null,
    to: e164Of(fax.to) ?? (fax.to || null),
    ...(outcome === 'failed' ? failureOf(fax) : NO_FAILURE),
    ...callOf(fax, outcome),
  };
}

export function directionOf(fax: Pick<WireFax, 'direction'>): TransportReport['direction'] {
  if (fax.direction === 'OUTBOUND') return 'sent';
  return fax.direction === 'INBOUND' ? 'received' : null;
}

function outcomeOf(status: WireFax['status']): TransportReport['outcome'] {
  if (status === 'COMPLETED') return 'success';
  return status === 'FAILURE' ? 'failed' : 'in_progress';
}

function failureOf(fax: WireFax): Failure {
  const facts = failureFacts({
    type: fax.errorType || null,
    id: fax.errorCode ?? fax.errorId ?? null,
    message: fax.errorMessage || null,
  });
  const sent = positive(fax.pagesSentSuccessfully);
  if (sent === null) return facts;
  const pages = sent === 1 ? '1 page was' : `${sent} pages were`;
  return { ...facts, failure: `${pages} sent before it failed. ${facts.failure}` };
}

/**
 * Returns the facts of the call. The vendor is requested to make one call only; where it made more, an earlier one may
 * have got through.
 */
function callOf(
  fax: WireFax,
  outcome: TransportReport['outcome'],
): Pick<TransportReport, 'unreached' | 'noPageTransmitted'> {
  const error = { type: fax.errorType || null, id: fax.errorCode ?? fax.errorId ?? null };
  const hasSent = positive(fax.pagesSentSuccessfully) !== null;
  const unreached = outcome === 'failed' && !hasSent ? noAnswerReason(error) : null;
  return { unreached, noPageTransmitted: unreached !== null && fax.retryCount === 0 };
}

/** A decimal amount in the currency's own unit. The vendor fills it in late, so 0 is unknown. */
function costOf(fax: WireFax): TransportReport['cost'] {
  const { currencyCode = '', amount } = fax.price ?? {};
  const millionths = roundedMillionths(amount ?? '');
  if (millionths === null || millionths === 0n || !isCurrency(currencyCode)) return null;
  return moneyOf(millionths, currencyCode);
}
