import { type Money, millionthsOf, moneyOf, type PageShare, shareOfPages } from '../../../../shared/money.ts';
import { transmittedPages } from '../transmitted-pages.ts';
import type { TransportReport } from '../transport-port.ts';
import type { AttemptRow, JobRow } from '../types.ts';

type CallShare = Pick<AttemptRow, 'call_first_page' | 'call_pages' | 'transport'>;

/** Sentence for a call over a line that ended during the last page of a fax. */
const LAST_PAGE = 'The last page of this fax may have been printed. Check with the recipient, then decide.';

/**
 * Returns the part of a whole call's report that concerns one of its faxes, whose document has `pages`. Pages are sent
 * in order, so the confirmed pages determine which faxes arrived, even when the call failed: a fax whose pages are
 * all confirmed was delivered, one was cut off, and no page of those after it was transmitted. A count of 0 proves nothing by itself.
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
  const none = { failure: null, failureCode: null, unreached: null, noPageTransmitted: false };
  if (confirmed === pages) return { ...share, ...none, outcome: 'success' };
  if (report.pages > 0 && report.pages < before)
    return { ...share, outcome: 'failed', noPageTransmitted: true };
  const isAtItsLastPage = report.pages > 0 && confirmed === pages - 1 && before + pages < total;
  if (transport !== 'line' || !isAtItsLastPage || report.noPageTransmitted) return share;
  return { ...share, outcome: 'unconfirmed', failure: [report.failure, LAST_PAGE].filter(Boolean).join(' ') };
}

function costOf({ amount, currency }: Money, share: PageShare): Money | null {
  const whole = millionthsOf(amount);
  return whole === null ? null : moneyOf(shareOfPages(whole, share), currency);
}

/** Returns the cost of this fax in a report; null when it contains none, or concerns another fax. */
export function costIn(
  report: TransportReport,
  { job, attempt }: { job: JobRow; attempt: AttemptRow },
): TransportReport['cost'] {
  if (report.direction === 'received' || (report.to !== null && report.to !== job.to_number)) return null;
  return shareOf(report, attempt, transmittedPages(job, attempt)).cost;
}
