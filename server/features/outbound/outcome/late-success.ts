import type { WriteTx } from '../../../db/database.ts';
import type { OutboundParts } from '../parts.ts';
import type { FaxNotifier } from '../record/events.ts';
import { type Recorder, readFax } from '../record/record.ts';
import { isTaken } from '../store/attempt-store.ts';
import { costIn, shareOf } from '../transition/share.ts';
import { transmittedPages } from '../transmitted-pages.ts';
import type { TransportReport } from '../transport-port.ts';
import { type AttemptRow, type JobRow, PROVIDER } from '../types.ts';

/**
 * Records that an ended attempt was delivered in full after all. Returns whether anything changed; null where the
 * report does not prove that for this attempt.
 */
export async function recordLateSuccess(
  parts: Pick<OutboundParts, 'logger' | 'transports' | 'costs'> & {
    readonly notifier: FaxNotifier;
    readonly recorder: Recorder;
  },
  tx: WriteTx,
  earlier: { readonly job: JobRow; readonly attempt: AttemptRow },
  report: TransportReport,
): Promise<boolean | null> {
  const { attempt } = earlier;
  const fax = await readFax(tx, attempt.job_id);
  if (!fax?.attempt || !(await isProof(tx, earlier, report))) return null;
  const { route_name, backend, provider_account } = attempt;
  const who = route_name === null ? parts.transports.nameOf(backend) : `Route “${route_name}”`;
  const { reference } = report;
  const isNewest = fax.attempt.id === attempt.id;
  const fact = isNewest
    ? ({ kind: 'reported', report } as const)
    : ({ kind: 'arrived', who, reference } as const);
  const after = await parts.recorder.record(tx, fax, fact, PROVIDER);
  const cost = costIn(report, earlier);
  if (cost !== null && (await parts.costs.charged(tx, attempt.id, cost)))
    parts.notifier.notifyVersion(tx, after?.job ?? fax.job);
  parts.logger.warn(
    { job_id: attempt.job_id, attempt_id: attempt.id, account: provider_account },
    'an attempt of a fax was delivered after it was taken for failed',
  );
  return after !== null;
}

/** Returns true when the report proves that this attempt delivered the whole document to its number. */
async function isProof(
  tx: WriteTx,
  { job, attempt }: { readonly job: JobRow; readonly attempt: AttemptRow },
  report: TransportReport,
): Promise<boolean> {
  if (report.direction === 'received' || (report.to !== null && report.to !== job.to_number)) return false;
  const sent = transmittedPages(job, attempt);
  const { outcome, pages, reference } = shareOf(report, attempt, sent);
  if (outcome !== 'success' || (pages !== null && pages < sent)) return false;
  if (attempt.provider_sid !== null && attempt.provider_sid !== reference) return false;
  return !(await isTaken(tx, {
    account: attempt.provider_account,
    providerSid: reference,
    except: attempt,
  }));
}
