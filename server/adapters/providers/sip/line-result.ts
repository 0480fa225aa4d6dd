import type { LineResult } from '../../../features/contacts/line-memory-port.ts';
import type { SipAccount } from './account.ts';
import { hungUpAtOnce } from './fax-report.ts';
import type { CallOutcome } from './outcome-record.ts';
import { findStopCause } from './status-texts.ts';

/**
 * Returns the findings of an ended call about the line to its number; null where no fax machine was detected, a person
 * may have hung up, or the confirmed pages do not match those that were sent. `sentPages` is null where unknown.
 */
export function lineResultOf(
  { t38, ecm, mostRate }: SipAccount,
  outcome: CallOutcome,
  sentPages: number | null,
): LineResult | null {
  const { answeredAt, status, pages, mode } = outcome;
  const best = { t38, ecm, mostRate };
  if (status === 'SUCCESS') {
    const isWhole = pages !== null && pages > 0 && pages === sentPages;
    return isWhole ? { best, mode, trouble: null } : null;
  }
  if (answeredAt === null || hungUpAtOnce(outcome)) return null;
  const { trouble } = findStopCause(outcome);
  return trouble === undefined ? null : { best, mode, trouble };
}
