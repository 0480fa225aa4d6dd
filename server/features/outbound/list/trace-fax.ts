import type { FaxHistoryKind } from '../../../../shared/history-kinds.ts';
import type { ReadDb } from '../../../db/database.ts';
import type { TracedFax } from '../../../platform/traced-fax.ts';
import { listHistory } from '../store/history-store.ts';
import { findJob } from '../store/job-store.ts';

/** Name of the time that begins with an entry of the history. */
const STEPS: Readonly<Partial<Record<FaxHistoryKind, string>>> = {
  accepted: 'fax.queue',
  released: 'fax.queue',
  rescheduled: 'fax.queue',
  next_step: 'fax.queue',
  held: 'fax.hold',
  waiting: 'fax.wait',
  submitting: 'fax.submit',
  in_progress: 'fax.transmit',
  reconciliation_required: 'fax.confirm',
  not_reached: 'fax.confirm',
  reconciled: 'fax.end',
  success: 'fax.end',
  failed: 'fax.end',
  cancelled: 'fax.end',
};

const ENDS: readonly string[] = ['success', 'failed', 'cancelled'];

/** Returns the way of a fax that was delivered, failed or canceled, from its history; null while it is under way. */
export async function traceFax(db: ReadDb, id: string): Promise<TracedFax | null> {
  const job = await findJob(db, id);
  if (job === undefined || !ENDS.includes(job.delivery_state)) return null;
  const steps = (await listHistory(db, id)).flatMap(({ kind, occurred_at }) => {
    const name = STEPS[kind];
    return name === undefined ? [] : [{ name, at: occurred_at }];
  });
  return {
    id,
    name: 'fax.send',
    isError: job.delivery_state === 'failed',
    attributes: {
      'fax.state': job.delivery_state,
      'fax.transport': job.backend,
      'fax.pages': job.pages ?? job.document_pages,
      'fax.test': job.test === 1,
    },
    steps,
  };
}
