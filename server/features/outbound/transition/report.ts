import type { DELIVERED_BY } from '../../../../shared/states/outbound.ts';
import { epochOf } from '../../../platform/clock.ts';
import { hasEnded } from '../attempt-state.ts';
import { isTerminal } from '../delivery-state.ts';
import { transmittedPages } from '../transmitted-pages.ts';
import { EMPTY_REPORT, type TransportKind, type TransportReport } from '../transport-port.ts';
import type { AttemptRow, JobRow } from '../types.ts';
import { warnOfArrival } from './arrived.ts';
import { type Change, change } from './change.ts';
import type { Fax, Names } from './fact.ts';
import { hasNext, toNextStep } from './refusal.ts';
import { unconfirmed, WAITING_FOR_RECEIPT } from './unconfirmed.ts';

const DELIVERED_BY_OF: Readonly<Record<TransportKind, (typeof DELIVERED_BY)[number]>> = {
  provider: 'provider',
  line: 'provider',
  own_number: 'internal',
  direct: 'direct',
  test: 'test',
};

/** Returns the report for a transport that accepted a fax without giving details. */
export function acceptedReport(reference: string): TransportReport {
  return {
    reference,
    outcome: 'in_progress',
    rawStatus: 'accepted',
    ...EMPTY_REPORT,
  };
}

/** At the beginning of a sentence. */
function capitalize(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** Names with the time of the report, ISO 8601 UTC. */
interface ReportContext extends Names {
  readonly at: string;
}

/**
 * Maximum age of a failure, in ms, for which the next route is taken. An older one, as after the gateway was off, is
 * not sent on without its sender's knowledge.
 */
const LATEST_NEXT_MS = 24 * 3_600_000;

/**
 * Returns the change for a report about the newest attempt. Idempotent: a repeated or late report changes nothing
 * twice.
 */
export function onReport(
  { job, attempt }: Fax,
  report: TransportReport,
  context: ReportContext,
): Change | null {
  if (!attempt) return null;
  if (isTerminal(job.delivery_state)) return lateReport(job, report, context.provider);
  switch (job.delivery_state) {
    case 'held':
    case 'ready':
    case 'preparing':
      return unexpected({ job, attempt }, report, context.provider);
    default:
      return expected({ job, attempt }, report, context);
  }
}

function expected(
  fax: { job: JobRow; attempt: AttemptRow },
  report: TransportReport,
  context: ReportContext,
): Change | null {
  const { job, attempt } = fax;
  const { at, provider } = context;
  const { reference } = report;
  const reason = uncertaintyOf(transmittedPages(job, attempt), report, provider);
  if (reason !== null) return unconfirmed(fax, { reason, category: null, reference, pages: report.pages });
  if (report.outcome === 'in_progress') return inProgress(fax, report, provider);
  if (report.outcome === 'failed' && mayTakeNextStep(fax, report, at))
    return toNextStep(attempt, {
      ...context,
      what: 'did not deliver it, and no page was sent',
      sentence: report.failure ?? 'The fax could not be delivered.',
      category: 'refused',
      facts: {
        provider_sid: reference,
        pages_sent: 0,
        failure_code: report.failureCode,
        unreached: report.unreached,
      },
    });
  return conclude(fax, report, at);
}

/**
 * Returns true only when it is proved that no page was transmitted and no person was asked: then the next step may
 * follow automatically.
 */
function mayTakeNextStep(
  fax: { job: JobRow; attempt: AttemptRow },
  { noPageTransmitted }: TransportReport,
  at: string,
): boolean {
  if (!noPageTransmitted || !hasNext(fax)) return false;
  const since = fax.attempt.submitted_at;
  return since === null || epochOf(at) - epochOf(since) <= LATEST_NEXT_MS;
}

/**
 * Returns the reason why a report settles nothing: the transport cannot confirm it, or a success shows fewer pages than
 * were sent. Null when it settles the fax.
 */
function uncertaintyOf(sent: number, report: TransportReport, provider: string): string | null {
  if (report.outcome === 'unconfirmed')
    return (
      report.failure ??
      `${capitalize(provider)} cannot confirm that the fax arrived. Check with the recipient, then decide.`
    );
  if (report.outcome !== 'success' || report.pages === null || report.pages >= sent) return null;
  return `${capitalize(provider)} confirmed only ${report.pages} of ${sent} pages. Check with the recipient, then decide.`;
}

function inProgress(
  { job, attempt }: { job: JobRow; attempt: AttemptRow },
  report: TransportReport,
  provider: string,
): Change | null {
  if (job.delivery_state === 'in_progress') return null;
  // A report that the provider still has a fax that needs confirmation settles nothing; the state must not flip at
  // every poll.
  if (attempt.provider_sid === report.reference) return null;
  const { reference } = report;
  return change({
    moves: ['in_progress'],
    facts: { provider_sid: reference, reconciliation_reason: null, error: null },
    attempt: { phase: 'in_progress', provider_sid: reference, error_category: null, waiting_since: null },
    history: {
      kind: 'in_progress',
      text: sentenceOfProgress(attempt, provider, reference),
    },
    event: 'job_updated',
    queue: 'poll',
  });
}

function sentenceOfProgress({ transport }: AttemptRow, provider: string, reference: string): string {
  if (transport === 'line') return 'The telephone engine is making the call.';
  if (transport === 'test') return 'The test is under way.';
  if (transport === 'direct') return WAITING_FOR_RECEIPT;
  return `${provider} accepted it (ID ${reference}).`;
}

function conclude(
  { job, attempt }: { job: JobRow; attempt: AttemptRow },
  report: TransportReport,
  at: string,
): Change {
  const success = report.outcome === 'success';
  const isProved = report.noPageTransmitted && attempt.ends_here === 0;
  const completedAt = report.completedAt ?? at;
  return change({
    moves: [success ? 'success' : 'failed'],
    facts: {
      provider_sid: report.reference,
      pages: report.pages ?? report.documentPages ?? job.pages,
      error: success ? null : (report.failure ?? 'The fax could not be delivered.'),
      reconciliation_reason: null,
      delivered_by: success ? DELIVERED_BY_OF[attempt.transport] : null,
    },
    attempt: {
      phase: success ? 'success' : 'failed',
      provider_sid: report.reference,
      completed_at: completedAt,
      pages_sent: report.pages,
      rate_bps: report.rateBps,
      failure_code: report.failureCode,
      seconds: secondsBetween(attempt.submitted_at, completedAt),
      error_category: null,
      unreached: success ? null : report.unreached,
    },
    history: { kind: success ? 'success' : 'failed', text: endText({ job, attempt }, report) },
    event: success ? 'job_updated' : 'job_failed',
    queue: !success && report.unreached !== null && isProved ? 'try_again' : null,
  });
}

function endText({ job, attempt }: { job: JobRow; attempt: AttemptRow }, report: TransportReport): string {
  if (report.outcome !== 'success') return `Not delivered. ${report.failure ?? ''}`.trim();
  const count = report.pages ?? transmittedPages(job, attempt);
  const word = attempt.encoded_pages === null ? 'page' : 'encoded page';
  const pages = `${count} ${word}${count === 1 ? '' : 's'}`;
  switch (attempt.transport) {
    case 'own_number':
      return `Delivered inside this installation, without a call: ${pages}.`;
    case 'direct':
      return `Delivered directly, as the original: ${pages}. The partner’s installation signed the receipt.`;
    case 'test':
      return `Recorded as delivered: ${pages}. This is a test fax; nothing was sent.`;
    default:
      return `Delivered: ${pages} confirmed.`;
  }
}

/**
 * Returns the seconds from submission to the end by the provider's clock; null when the two clocks are inconsistent.
 */
function secondsBetween(from: string | null, to: string): number | null {
  if (from === null) return null;
  const seconds = Math.round((Date.parse(to) - Date.parse(from)) / 1000);
  return seconds >= 0 ? seconds : null;
}

/** Terminal states never move; a report that disagrees is kept, once. */
function lateReport(job: JobRow, report: TransportReport, provider: string): Change | null {
  const isOutcome = report.outcome === 'success' || report.outcome === 'failed';
  if (!isOutcome || report.outcome === job.delivery_state) return null;
  const later = report.outcome === 'success' ? 'was delivered' : 'was not delivered';
  const text = `${capitalize(provider)} reported later that the fax ${later}. The recorded outcome stays.`;
  return change({ history: { kind: 'late_report', text, once: true } });
}

/**
 * Holds a fax with a warning, for a person to decide, when a transport reports it after it reported that it had not
 * accepted or not delivered it: sent again, the fax might arrive twice. Ignores reports that an attempt has failed or
 * still exists.
 */
function unexpected(
  { job, attempt }: { job: JobRow; attempt: AttemptRow },
  report: TransportReport,
  provider: string,
): Change | null {
  const isDelivered = report.outcome === 'success';
  if (report.outcome === 'failed' || (!isDelivered && hasEnded(attempt.phase))) return null;
  const id = `the fax (ID ${report.reference})`;
  const sentence = isDelivered
    ? `${capitalize(provider)} now reports ${id} as delivered.`
    : `${capitalize(provider)} reports ${id}, which it had not accepted before.`;
  const isProved = isDelivered && (report.pages === null || report.pages >= transmittedPages(job, attempt));
  return warnOfArrival(job, { sentence, isProved });
}
