import type { DeliveryState } from '../../../../shared/states.ts';
import type { WriteTx } from '../../../db/database.ts';
import type { JobRow } from '../types.ts';

/** Every fax in one of these states. */
export async function jobsInStates(tx: WriteTx, states: readonly DeliveryState[]): Promise<JobRow[]> {
  return tx.selectFrom('fax_job').selectAll().where('delivery_state', 'in', states).orderBy('id').execute();
}

export async function markHeldMode(tx: WriteTx, id: string): Promise<void> {
  await tx.updateTable('fax_job').set({ dispatch_mode: 'held' }).where('id', '=', id).execute();
}

/** Removes the waiting work of a kind, claimed or not: no worker of the time of the backup lives any more. */
export async function removeWork(tx: WriteTx, kind: string): Promise<void> {
  await tx.deleteFrom('job').where('kind', '=', kind).execute();
}
