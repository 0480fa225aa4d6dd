import type { ErrorCategory } from '../../../../shared/states.ts';
import type { ProviderReport } from '../../../adapters/providers/port.ts';
import type { WriteTx } from '../../../db/database.ts';
import { isoTime } from '../../../platform/clock.ts';
import { isTerminal } from '../delivery-state.ts';
import { pollJob, pollOf } from '../dispatch/queued.ts';
import { recordChange } from '../events.ts';
import type { OutboundParts } from '../parts.ts';
import { changeAttempt, isTaken } from '../store/attempt-store.ts';
import { addHistory, hasHistory } from '../store/history-store.ts';
import { moveJob, noteFacts } from '../store/job-store.ts';
import type { Actor, AttemptRow, JobRow } from '../types.ts';

/** A report names a provider fax that is not this attempt's. */
export class ProviderIdMismatchError extends Error {
  override name = 'ProviderIdMismatchError';
}

/**
 * What a report changes. Callbacks, polling and persons who ask all end here, so a report that comes twice or late
 * changes nothing twice. Returns whether anything was changed. Throws ProviderIdMismatchError.
 */
export async function applyReport(
  parts: OutboundParts,
  tx: WriteTx,
  fax: { job: JobRow; attempt: AttemptRow },
  report: ProviderReport,
  actor: Actor,
): Promise<boolean> {
  await claimProviderId(tx, fax.attempt, report.providerId);
  if (isTerminal(fax.job.delivery_state)) return noteLateReport(parts, tx, fax.job, report, actor);
  const doubt = successDoubt(fax.job, report);
  const { providerId } = report;
  if (doubt) return becomeDoubtful(parts, tx, fax, { reason: doubt, category: null, actor, providerId });
  if (report.outcome === 'in_progress') return becomeInProgress(parts, tx, fax, report, actor);
  return conclude(parts, tx, fax, report, actor);
}

async function claimProviderId(tx: WriteTx, attempt: AttemptRow, providerId: string): Promise<void> {
  if (attempt.provider_sid !== null && attempt.provider_sid !== providerId)
    throw new ProviderIdMismatchError('the report is of another provider fax');
  const taken = { account: attempt.provider_account, providerSid: providerId, exceptAttempt: attempt.id };
  if (await isTaken(tx, taken))
    throw new ProviderIdMismatchError('the provider fax belongs to another attempt');
}

/** A success that shows fewer pages than were sent is not shown to be one. */
function successDoubt(job: JobRow, report: ProviderReport): string | null {
  if (report.outcome !== 'success' || report.pages === null || report.pages >= job.document_pages)
    return null;
  return `The provider reports success, but for ${report.pages} of ${job.document_pages} pages. Ask the receiver, then decide.`;
}

async function becomeInProgress(
  parts: OutboundParts,
  tx: WriteTx,
  { job, attempt }: { job: JobRow; attempt: AttemptRow },
  report: ProviderReport,
  actor: Actor,
): Promise<boolean> {
  if (job.delivery_state === 'in_progress') return false;
  // That a doubtful fax is still known to the provider answers nothing; it must not flip at every look.
  if (attempt.provider_sid === report.providerId) return false;
  const at = isoTime(parts.clock.now());
  const moved = await moveJob(tx, job, 'in_progress', {
    at,
    provider_sid: report.providerId,
    reconciliation_reason: null,
    error: null,
  });
  if (!moved) return false;
  await changeAttempt(tx, attempt.id, {
    phase: 'in_progress',
    provider_sid: report.providerId,
    error_category: null,
  });
  await parts.queue.enqueue(tx, pollJob, pollOf(attempt.id, parts.clock.now()));
  await recordChange(parts, tx, moved, {
    event: 'job_updated',
    kind: 'in_progress',
    text: `The provider has the fax as ${report.providerId} (${report.rawStatus}).`,
    actor,
  });
  return true;
}

async function conclude(
  parts: OutboundParts,
  tx: WriteTx,
  { job, attempt }: { job: JobRow; attempt: AttemptRow },
  report: ProviderReport,
  actor: Actor,
): Promise<boolean> {
  const success = report.outcome === 'success';
  const at = isoTime(parts.clock.now());
  const moved = await moveJob(tx, job, success ? 'success' : 'failed', {
    at,
    provider_sid: report.providerId,
    pages: report.pages ?? job.pages,
    error: success ? null : (report.failure ?? 'The fax could not be delivered.'),
    reconciliation_reason: null,
    delivered_by: success ? 'provider' : null,
    cost_minor: report.cost?.amountMinor ?? null,
    cost_currency: report.cost?.currency ?? null,
  });
  if (!moved) return false;
  await changeAttempt(tx, attempt.id, {
    phase: success ? 'success' : 'failed',
    provider_sid: report.providerId,
    completed_at: report.completedAt ?? at,
    pages_sent: report.pages,
    rate_bps: report.rateBps,
    seconds: secondsBetween(attempt.submitted_at, report.completedAt ?? at),
    error_category: null,
  });
  const pages = report.pages ?? job.document_pages;
  await recordChange(parts, tx, moved, {
    event: success ? 'job_updated' : 'job_failed',
    kind: success ? 'success' : 'failed',
    text: success
      ? `Delivered: the provider confirms ${pages === 1 ? 'one page' : `${pages} pages`}.`
      : `Not delivered. ${report.failure ?? ''}`.trim(),
    actor,
  });
  return true;
}

/** From submission to the end as the provider tells it; null when the two clocks make no sense together. */
function secondsBetween(from: string | null, to: string): number | null {
  if (from === null) return null;
  const seconds = Math.round((Date.parse(to) - Date.parse(from)) / 1000);
  return seconds >= 0 ? seconds : null;
}

/** Terminal states never move; a report that disagrees is kept, once. */
async function noteLateReport(
  parts: OutboundParts,
  tx: WriteTx,
  job: JobRow,
  report: ProviderReport,
  actor: Actor,
): Promise<boolean> {
  if (report.outcome === 'in_progress' || report.outcome === job.delivery_state) return false;
  const text = `A later report says ${report.outcome} (${report.rawStatus}); the recorded outcome stays.`;
  if (await hasHistory(tx, job.id, { kind: 'late_report', text })) return false;
  const occurred = isoTime(parts.clock.now());
  await addHistory(tx, job.id, { kind: 'late_report', occurred_at: occurred, actor: actor.name, text });
  parts.logger.warn(
    { job_id: job.id, outcome: report.outcome },
    'a later report disagrees with the recorded outcome',
  );
  return false;
}

/** The outcome cannot be known: a person decides. Polling goes on where there is a provider id. */
export async function becomeDoubtful(
  parts: OutboundParts,
  tx: WriteTx,
  { job, attempt }: { job: JobRow; attempt: AttemptRow | null },
  doubt: { reason: string; category: ErrorCategory | null; actor: Actor; providerId?: string },
): Promise<boolean> {
  const at = isoTime(parts.clock.now());
  const known = doubt.providerId === undefined ? {} : { provider_sid: doubt.providerId };
  const facts = { at, reconciliation_reason: doubt.reason, ...known };
  if (job.delivery_state === 'reconciliation_required') {
    if (job.reconciliation_reason === doubt.reason) return false;
    if (!(await noteFacts(tx, job, facts))) return false;
    await keepAsking(parts, tx, attempt, doubt.providerId);
    return true;
  }
  const moved = await moveJob(tx, job, 'reconciliation_required', facts);
  if (!moved) return false;
  await keepAsking(parts, tx, attempt, doubt.providerId);
  if (attempt) await changeAttempt(tx, attempt.id, { phase: 'uncertain', error_category: doubt.category });
  await recordChange(parts, tx, moved, {
    event: 'job_updated',
    kind: 'reconciliation_required',
    text: doubt.reason,
    actor: doubt.actor,
  });
  return true;
}

/** The provider fax of a doubtful attempt may still tell its outcome, so it is kept and asked about. */
async function keepAsking(
  parts: OutboundParts,
  tx: WriteTx,
  attempt: AttemptRow | null,
  providerId: string | undefined,
): Promise<void> {
  if (!attempt || providerId === undefined || attempt.provider_sid !== null) return;
  await changeAttempt(tx, attempt.id, { provider_sid: providerId });
  await parts.queue.enqueue(tx, pollJob, pollOf(attempt.id, parts.clock.now()));
}

/** Certainly not sent, and no further step: the fax has failed. */
export async function fail(
  parts: OutboundParts,
  tx: WriteTx,
  { job, attempt }: { job: JobRow; attempt: AttemptRow },
  failure: { sentence: string; category: ErrorCategory; actor: Actor },
): Promise<boolean> {
  const at = isoTime(parts.clock.now());
  const moved = await moveJob(tx, job, 'failed', {
    at,
    error: failure.sentence,
    reconciliation_reason: null,
  });
  if (!moved) return false;
  await changeAttempt(tx, attempt.id, {
    phase: 'failed',
    completed_at: at,
    error_category: failure.category,
  });
  await recordChange(parts, tx, moved, {
    event: 'job_failed',
    kind: 'failed',
    text: `Not sent. ${failure.sentence}`,
    actor: failure.actor,
  });
  return true;
}
