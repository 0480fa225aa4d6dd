import type { WriteTx } from '../../../db/database.ts';
import { isoTime } from '../../../platform/clock.ts';
import type { OutboundParts } from '../parts.ts';
import type { FaxNotifier } from '../record/events.ts';
import { type Recorder, readCall } from '../record/record.ts';
import { isTaken, markLearned } from '../store/attempt-store.ts';
import type { AttemptedFax } from '../transition/fact.ts';
import { readLimits } from '../transition/limits.ts';
import { costIn, shareOf } from '../transition/share.ts';
import { transmittedPages } from '../transmitted-pages.ts';
import type { TransportReport } from '../transport-port.ts';
import type { Actor } from '../types.ts';
import { recordLateSuccess } from './late-success.ts';
import { logCall } from './log-call.ts';

/** A report names a provider fax that is not this attempt's. */
export class ProviderIdMismatchError extends Error {
  override name = 'ProviderIdMismatchError';
}

/** Records the reports of transports about faxes that they accepted, in the caller's transaction. */
export interface ReportRecorder {
  /**
   * Records a report about the newest attempt, and about those in the same call. Callbacks, polling and queries by people
   * all end here. Returns whether anything changed. Throws ProviderIdMismatchError.
   */
  recordReport(tx: WriteTx, fax: AttemptedFax, report: TransportReport, actor: Actor): Promise<boolean>;
  /**
   * Records that an ended attempt was delivered in full after all. Returns whether anything changed; null where the
   * report does not prove that for this attempt.
   */
  recordLateSuccess(tx: WriteTx, earlier: AttemptedFax, report: TransportReport): Promise<boolean | null>;
}

export function createReportRecorder(
  parts: Pick<OutboundParts, 'clock' | 'logger' | 'seal' | 'transports' | 'contacts' | 'costs' | 'calls'> & {
    readonly notifier: FaxNotifier;
    readonly recorder: Recorder;
  },
): ReportRecorder {
  return {
    recordReport: (tx, fax, report, actor) => recordReport(parts, tx, { fax, report, actor }),
    recordLateSuccess: (tx, earlier, report) => recordLateSuccess(parts, tx, earlier, report),
  };
}

async function recordReport(
  parts: Pick<OutboundParts, 'clock' | 'seal' | 'contacts' | 'costs' | 'calls'> & {
    readonly notifier: FaxNotifier;
    readonly recorder: Recorder;
  },
  tx: WriteTx,
  {
    fax,
    report,
    actor,
  }: { readonly fax: AttemptedFax; readonly report: TransportReport; readonly actor: Actor },
): Promise<boolean> {
  const { attempt } = fax;
  const { reference } = report;
  if (attempt.provider_sid !== null && attempt.provider_sid !== reference)
    throw new ProviderIdMismatchError('the report is of another provider fax');
  const taken = { account: attempt.provider_account, providerSid: reference, except: attempt };
  if (await isTaken(tx, taken))
    throw new ProviderIdMismatchError('the provider fax belongs to another attempt');
  let isChanged = false;
  const faxes = attempt.call_first_page === null ? [fax] : await readCall(tx, attempt.call_id ?? '');
  for (const each of faxes) {
    const share = shareOf(report, each.attempt, transmittedPages(each.job, each.attempt));
    const after = await parts.recorder.record(tx, each, { kind: 'reported', report: share }, actor);
    isChanged ||= after !== null && after.job !== each.job;
    // Applies to a fax that ended before, and to an amount that changed.
    const cost = costIn(report, each);
    if (cost !== null && (await parts.costs.charged(tx, each.attempt.id, cost)))
      parts.notifier.notifyVersion(tx, each.job);
  }
  // A fax that is polled for months, because no person decides, is no new call.
  if (isChanged) await logCall(parts, tx, faxes, { report });
  await recordLesson(parts, tx, fax, report);
  return isChanged;
}

/**
 * Records the result of a call in the line memory of its number once, however often it is reported and by whichever of its faxes.
 */
async function recordLesson(
  { contacts, clock }: Pick<OutboundParts, 'clock' | 'contacts'>,
  tx: WriteTx,
  { job, attempt }: AttemptedFax,
  { lineResult }: TransportReport,
): Promise<void> {
  if (lineResult === undefined || attempt.without_t38 === null) return;
  if (!(await markLearned(tx, attempt, isoTime(clock.now())))) return;
  const call = { account: attempt.provider_account, limits: readLimits(attempt), lineResult };
  await contacts.lineCalls.recordCall(tx, job.to_number, call);
}
