import type { WriteTx } from '../../../db/database.ts';
import { openStep } from '../accept/plan.ts';
import type { OutboundParts } from '../parts.ts';
import type { TransportReport } from '../port.ts';
import type { AttemptRow, JobRow } from '../types.ts';

/** A fax with the attempt that is in the call. */
export interface CalledFax {
  readonly job: JobRow;
  readonly attempt: AttemptRow;
}

/**
 * Tells whoever keeps the log of calls of one that has ended, in the transaction that records what became of its faxes: given
 * are all of them, in the order of their pages. A report of what makes no calls is passed over.
 */
export async function logCall(
  { seal, calls }: OutboundParts,
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
    pages: attempt.call_pages ?? job.document_pages,
    report: { ...report, call: report.call },
    isCanceled,
  });
}
