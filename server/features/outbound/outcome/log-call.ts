import type { WriteTx } from '../../../db/database.ts';
import type { OutboundParts } from '../parts.ts';
import { openStep } from '../plan/plan.ts';
import { transmittedPages } from '../transmitted-pages.ts';
import type { TransportReport } from '../transport-port.ts';
import type { AttemptRow, JobRow } from '../types.ts';

/** A fax with the attempt that is in the call. */
interface CalledFax {
  readonly job: JobRow;
  readonly attempt: AttemptRow;
}

/**
 * Reports an ended call to the call log, in the transaction that records the outcome of its faxes, with all of them in
 * page order. Ignores reports of transports that place no calls.
 */
export async function logCall(
  { seal, calls }: Pick<OutboundParts, 'seal' | 'calls'>,
  tx: WriteTx,
  faxes: readonly CalledFax[],
  { report, isCanceled = false }: { readonly report: TransportReport; readonly isCanceled?: boolean },
): Promise<void> {
  const [first] = faxes;
  if (!first || !report.call || first.attempt.transport !== 'line') return;
  const { job, attempt } = first;
  await calls.ended(tx, {
    reference: report.reference,
    account: attempt.provider_account,
    to: job.to_number,
    from: openStep(seal, job, attempt.step).from,
    startedAt: attempt.submitted_at,
    faxIds: faxes.map((fax) => fax.job.id),
    pages: attempt.call_pages ?? transmittedPages(job, attempt),
    report: { ...report, call: report.call },
    isCanceled,
  });
}
