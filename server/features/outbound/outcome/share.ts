import { type Money, millionthsOf, moneyOf, type PageShare, shareOfPages } from '../../../../shared/money.ts';
import type { TransportReport } from '../port.ts';
import type { AttemptRow, JobRow } from '../types.ts';

type CallShare = Pick<AttemptRow, 'call_first_page' | 'call_pages' | 'transport'>;

/** A page of a line that was begun may have been printed without being confirmed. */
const LAST_PAGE = 'The last page of this fax may have been printed. Check with the recipient, then decide.';

/**
 * What a report of a whole call says of one of its faxes, of which the document has `pages`. Pages come one after the other,
 * so those that were confirmed tell which faxes arrived, also when the call failed: one that is wholly among them was
 * delivered, in one it broke off, and of those after that no page left. A count of 0 proves nothing by itself.
 */
export function shareOf(
  report: TransportReport,
  { call_first_page: first, call_pages: total, transport }: CallShare,
  pages: number,
): TransportReport {
  if (first === null || total === null) return report;
  const before = first - 1;
  const cost = report.cost && costOf(report.cost, { before, pages, total });
  if (report.pages === null || report.pages > total) return { ...report, cost, pages: null };
  const confirmed = Math.min(Math.max(report.pages - before, 0), pages);
  const share = { ...report, cost, pages: confirmed };
  if (report.outcome !== 'failed' && report.outcome !== 'unconfirmed') return share;
  const none = { failure: null, failureCode: null, unreached: null, noPageLeft: false };
  if (confirmed === pages) return { ...share, ...none, outcome: 'success' };
  if (report.pages > 0 && report.pages < before) return { ...share, outcome: 'failed', noPageLeft: true };
  const isAtItsLastPage = report.pages > 0 && confirmed === pages - 1 && before + pages < total;
  if (transport !== 'line' || !isAtItsLastPage || report.noPageLeft) return share;
  return { ...share, outcome: 'unconfirmed', failure: [report.failure, LAST_PAGE].filter(Boolean).join(' ') };
}

function costOf({ amount, currency }: Money, share: PageShare): Money | null {
  const whole = millionthsOf(amount);
  return whole === null ? null : moneyOf(shareOfPages(whole, share), currency);
}

/** What a report says of the cost of this fax; null where it says nothing, or is of another fax. */
export function costIn(
  report: TransportReport,
  { job, attempt }: { job: JobRow; attempt: AttemptRow },
): TransportReport['cost'] {
  if (report.direction === 'received' || (report.to !== null && report.to !== job.to_number)) return null;
  return shareOf(report, attempt, job.document_pages).cost;
}
