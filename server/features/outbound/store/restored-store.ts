import type { DeliveryState } from '../../../../shared/states/outbound.ts';
import type { WriteTx } from '../../../db/database.ts';
import type { JobRow } from '../types.ts';

/** Every fax in one of these states. */
export async function jobsInStates(tx: WriteTx, states: readonly DeliveryState[]): Promise<JobRow[]> {
  return tx.selectFrom('fax_job').selectAll().where('delivery_state', 'in', states).orderBy('id').execute();
}

export async function markHeldMode(tx: WriteTx, id: string): Promise<void> {
  await tx.updateTable('fax_job').set({ dispatch_mode: 'held' }).where('id', '=', id).execute();
}
