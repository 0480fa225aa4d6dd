import type { CallOutcome } from '../../../../shared/states/telephony.ts';
import type { LineCall } from '../../outbound/port.ts';
import { type ReportedCall, UNKNOWN } from './types.ts';

/** Builds the log entry of a call that carried sent faxes. */
export function sentCall(ended: LineCall): ReportedCall {
  const { report } = ended;
  const { call } = report;
  return {
    ...UNKNOWN,
    direction: 'outgoing',
    call_key: ended.reference,
    started_at: ended.startedAt,
    answered_at: call.answeredAt,
    ended_at: call.endedAt,
    number: ended.to,
    own_number: ended.from,
    line: ended.account,
    ...outcomeOf(ended),
    cause: call.cause,
    sip_status: call.sipStatus,
    failure_code: report.failureCode,
    mode: call.mode,
    ecm: call.ecm === null ? null : call.ecm ? 1 : 0,
    rate_bps: report.rateBps,
    resolution: call.resolution,
    pages_sent: ended.pages,
    pages_confirmed: report.pages,
    station_id: call.stationId,
    sent_fax_ids: JSON.stringify(ended.faxIds),
  };
}

/** Returns the outcome of the whole call. Each of its faxes records its own. */
function outcomeOf({ report, pages, isCanceled }: LineCall): { outcome: CallOutcome; sentence: string } {
  if (isCanceled) return { outcome: 'canceled', sentence: 'The fax was canceled before anyone answered.' };
  const confirmed = report.pages;
  if (report.outcome === 'success') {
    if (confirmed !== null && confirmed < pages)
      return { outcome: 'unconfirmed', sentence: only(confirmed, pages) };
    return {
      outcome: 'delivered',
      sentence: pages === 1 ? 'The page was confirmed.' : `All ${pages} pages were confirmed.`,
    };
  }
  const sentence = report.failure ?? 'The call failed without a reason.';
  if (report.outcome === 'unconfirmed') return { outcome: 'unconfirmed', sentence };
  return { outcome: report.unreached ?? 'failed', sentence };
}

const only = (confirmed: number, pages: number) =>
  `Only ${confirmed} of ${pages} pages ${confirmed === 1 ? 'was' : 'were'} confirmed.`;
