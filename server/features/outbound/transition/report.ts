import type { DELIVERED_BY } from '../../../../shared/states.ts';
import { hasEnded } from '../attempt-state.ts';
import { isTerminal } from '../delivery-state.ts';
import type { TransportKind, TransportReport } from '../port.ts';
import type { AttemptRow, JobRow } from '../types.ts';
import { type Change, change } from './change.ts';
import type { Fax } from './fact.ts';
import { toNextStep } from './refusal.ts';
import { unconfirmed } from './unconfirmed.ts';

const DELIVERED_BY_OF: Readonly<Record<TransportKind, (typeof DELIVERED_BY)[number]>> = {
  provider: 'provider',
  line: 'provider',
  own_number: 'internal',
  partner: 'direct',
};

/** What the bare answer of a transport says that took a fax. */
export function acceptedReport(reference: string): TransportReport {
  return {
    reference,
    outcome: 'in_progress',
    noPageLeft: false,
    rawStatus: 'accepted',
    direction: 'sent',
    pages: null,
    rateBps: null,
    cost: null,
    completedAt: null,
    to: null,
    failure: null,
  };
}

/** What a report of the newest attempt changes. A report that comes twice or late changes nothing twice. */
export function onReport({ job, attempt }: Fax, report: TransportReport, at: string): Change | null {
  if (!attempt) return null;
  if (isTerminal(job.delivery_state)) return lateReport(job, report);
  switch (job.delivery_state) {
    case 'held':
    case 'ready':
    case 'preparing':
      return unexpected(job, attempt, report);
    default:
      return expected({ job, attempt }, report, at);
  }
}

function expected(
  fax: { job: JobRow; attempt: AttemptRow },
  report: TransportReport,
  at: string,
): Change | null {
  const { job, attempt } = fax;
  const { reference } = report;
  const reason = successDoubt(job, report);
  if (reason !== null) return unconfirmed(fax, { reason, category: null, reference });
  if (report.outcome === 'in_progress') return inProgress(fax, report);
  const mayGoOn = report.noPageLeft && attempt.step < job.plan_steps;
  // From an unknown outcome nothing leads to another step, whatever a later report proves.
  if (report.outcome === 'failed' && mayGoOn && job.delivery_state !== 'reconciliation_required')
    return toNextStep({
      sentence: report.failure ?? 'The fax could not be delivered.',
      category: 'refused',
      at,
      facts: { provider_sid: reference, pages_sent: 0 },
    });
  return conclude(fax, report, at);
}

/** A success that shows fewer pages than were sent is not shown to be one. */
function successDoubt(job: JobRow, report: TransportReport): string | null {
  if (report.outcome !== 'success' || report.pages === null || report.pages >= job.document_pages)
    return null;
  return `The provider reports success, but only for ${report.pages} of ${job.document_pages} pages. Check with the recipient, then decide.`;
}

function inProgress(
  { job, attempt }: { job: JobRow; attempt: AttemptRow },
  report: TransportReport,
): Change | null {
  if (job.delivery_state === 'in_progress') return null;
  // That the provider still knows a fax that needs confirmation answers nothing; the state must not flip at every poll.
  if (attempt.provider_sid === report.reference) return null;
  const { reference } = report;
  return change({
    moves: ['in_progress'],
    facts: { provider_sid: reference, reconciliation_reason: null, error: null },
    attempt: { phase: 'in_progress', provider_sid: reference, error_category: null, waiting_since: null },
    history: {
      kind: 'in_progress',
      text: `The provider has the fax as ${reference} (${report.rawStatus}).`,
    },
    event: 'job_updated',
    queue: 'poll',
  });
}

function conclude(
  { job, attempt }: { job: JobRow; attempt: AttemptRow },
  report: TransportReport,
  at: string,
): Change {
  const success = report.outcome === 'success';
  const completedAt = report.completedAt ?? at;
  return change({
    moves: [success ? 'success' : 'failed'],
    facts: {
      provider_sid: report.reference,
      pages: report.pages ?? job.pages,
      error: success ? null : (report.failure ?? 'The fax could not be delivered.'),
      reconciliation_reason: null,
      delivered_by: success ? DELIVERED_BY_OF[attempt.transport] : null,
      cost_minor: report.cost?.amountMinor ?? null,
      cost_currency: report.cost?.currency ?? null,
    },
    attempt: {
      phase: success ? 'success' : 'failed',
      provider_sid: report.reference,
      completed_at: completedAt,
      pages_sent: report.pages,
      rate_bps: report.rateBps,
      seconds: secondsBetween(attempt.submitted_at, completedAt),
      error_category: null,
    },
    history: { kind: success ? 'success' : 'failed', text: endText(job, report) },
    event: success ? 'job_updated' : 'job_failed',
  });
}

function endText(job: JobRow, report: TransportReport): string {
  if (report.outcome !== 'success') return `Not delivered. ${report.failure ?? ''}`.trim();
  const pages = report.pages ?? job.document_pages;
  return `Delivered: the provider confirms ${pages === 1 ? 'one page' : `${pages} pages`}.`;
}

/** From submission to the end as the provider tells it; null when the two clocks make no sense together. */
function secondsBetween(from: string | null, to: string): number | null {
  if (from === null) return null;
  const seconds = Math.round((Date.parse(to) - Date.parse(from)) / 1000);
  return seconds >= 0 ? seconds : null;
}

/** Terminal states never move; a report that disagrees is kept, once. */
function lateReport(job: JobRow, report: TransportReport): Change | null {
  if (report.outcome === 'in_progress' || report.outcome === job.delivery_state) return null;
  const text = `A later report says ${report.outcome} (${report.rawStatus}); the recorded outcome stays.`;
  return change({ history: { kind: 'late_report', text, once: true } });
}

/**
 * A transport reports a fax that it said it had not taken: sent again it might arrive twice, so it is held and a person
 * looks at it. That an attempt has failed, or is still known, is nothing new.
 */
function unexpected(job: JobRow, attempt: AttemptRow, report: TransportReport): Change | null {
  if (report.outcome === 'failed' || (report.outcome === 'in_progress' && hasEnded(attempt.phase)))
    return null;
  const text = `The provider reports fax ${report.reference} (${report.rawStatus}), which it had not accepted before. Check with the recipient before it is sent again.`;
  if (job.delivery_state === 'held') return change({ history: { kind: 'late_report', text, once: true } });
  return change({
    moves: job.delivery_state === 'preparing' ? ['ready', 'held'] : ['held'],
    history: { kind: 'held', text },
    event: 'job_updated',
    queue: 'withdraw',
  });
}
