import { hasEnded } from '../attempt-state.ts';
import { isTerminal } from '../delivery-state.ts';
import type { OutboundParts } from '../parts.ts';
import { openStep } from '../plan/plan.ts';
import { transportOf } from '../plan/transport-of.ts';
import type { FaxNotifier } from '../record/events.ts';
import { type Recorder, readCall, readFaxOf } from '../record/record.ts';
import { findAttempt } from '../store/attempt-store.ts';
import { attemptsOfCalls } from '../store/together-store.ts';
import { TransportError, type TransportReport } from '../transport-port.ts';
import type { Actor, AttemptRow, JobRow } from '../types.ts';
import type { ReportRecorder } from './report.ts';

type Parts = Pick<OutboundParts, 'db' | 'logger' | 'seal' | 'transports' | 'progress'> & {
  readonly notifier: FaxNotifier;
  readonly recorder: Recorder;
  readonly reports: ReportRecorder;
};

/** A fax with the attempt that its transport accepted under this reference. */
export interface PolledFax {
  readonly job: JobRow;
  readonly attempt: AttemptRow;
  readonly reference: string;
}

/** Queries the transports of accepted faxes. */
export interface Poller {
  /**
   * Queries once and applies the answer. Null when it went well; throws TransportError when the transport cannot be
   * queried.
   */
  pollOnce(fax: PolledFax, actor: Actor): Promise<null>;
  /** Queries with the account that the step of the attempt captured. Throws TransportError. */
  queryTransport(
    fax: { readonly job: JobRow; readonly attempt: AttemptRow },
    reference: string,
  ): Promise<TransportReport>;
  /** Removes a fax from its transport once its end is recorded. A failed request leaves it there. */
  removeEnded(fax: PolledFax): Promise<void>;
}

export function createPoller(parts: Parts): Poller {
  return {
    pollOnce: (fax, actor) => pollOnce(parts, fax, actor),
    queryTransport: (fax, reference) => queryTransport(parts, fax, reference),
    removeEnded: (fax) => removeEnded(parts, fax),
  };
}

async function pollOnce(parts: Parts, fax: PolledFax, actor: Actor): Promise<null> {
  const report = await queryTransport(parts, fax, fax.reference);
  if (parts.progress.record(fax.attempt, report.progress ?? null)) await notifyCall(parts, fax);
  await parts.db.transaction(async (tx) => {
    const now = await readFaxOf(tx, fax.attempt.id);
    if (!now) {
      await parts.reports.recordLateSuccess(tx, fax, report);
      return;
    }
    const reason = isTerminal(now.job.delivery_state)
      ? null
      : otherFaxReason(now.job, report, parts.transports.nameOf(now.attempt.backend));
    if (reason === null) await parts.reports.recordReport(tx, now, report, actor);
    else
      await parts.recorder.record(
        tx,
        now,
        { kind: 'unknown', reason, category: 'provider_id_mismatch' },
        actor,
      );
  });
  await removeEnded(parts, fax);
  return null;
}

/** Notifies consoles of every fax of the call. */
async function notifyCall(
  parts: Pick<OutboundParts, 'db'> & { readonly notifier: FaxNotifier },
  fax: PolledFax,
): Promise<void> {
  const { call_id, call_first_page } = fax.attempt;
  const isAlone = call_id === null || call_first_page === null;
  for (const { job } of isAlone ? [fax] : await readCall(parts.db.read, call_id))
    parts.notifier.notifyProgress(job);
}

/** Returns true when another fax of the same call has no outcome yet. */
async function isAwaited(
  { db }: Pick<OutboundParts, 'db'>,
  { call_id, call_first_page }: AttemptRow,
): Promise<boolean> {
  if (call_id === null || call_first_page === null) return false;
  return (await attemptsOfCalls(db.read, [call_id])).some(({ phase }) => !hasEnded(phase));
}

async function removeEnded(
  parts: Pick<OutboundParts, 'db' | 'logger' | 'seal' | 'transports'>,
  { job, attempt, reference }: PolledFax,
): Promise<void> {
  // The attempt has also ended when the fax continues by another route.
  const now = await findAttempt(parts.db.read, attempt.id);
  if (!now || !hasEnded(now.phase) || (await isAwaited(parts, attempt))) return;
  const { account, transport } = openStep(parts.seal, job, attempt.step);
  try {
    await transportOf(parts, [job], transport).forget?.(account.credentials, reference);
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    parts.logger.warn({ error, job_id: job.id }, 'a fax could not be removed from its transport');
  }
}

async function queryTransport(
  parts: Pick<OutboundParts, 'seal' | 'transports'>,
  { job, attempt }: { job: JobRow; attempt: AttemptRow },
  reference: string,
): Promise<TransportReport> {
  const { account, transport } = openStep(parts.seal, job, attempt.step);
  if (account.id !== attempt.provider_account) throw new Error('the captured account is another');
  return transportOf(parts, [job], transport).fetchReport(account.credentials, reference);
}

/**
 * Returns a sentence when the provider's fax is not one sent to our number. The ID is then that of another fax, so
 * nothing is concluded. Null when it matches.
 */
function otherFaxReason(job: JobRow, report: TransportReport, provider: string): string | null {
  const otherNumber = report.to !== null && report.to !== job.to_number;
  if (!otherNumber && report.direction !== 'received') return null;
  return `${provider} has a fax to another number under the ID ${report.reference}. Ask ${provider}, then decide.`;
}
