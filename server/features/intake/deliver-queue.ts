import { z } from 'zod';
import { Id } from '../../../shared/api/values.ts';
import type { WriteTx } from '../../db/database.ts';
import type { IntakeParts } from './parts.ts';

/** Job that sends the e-mail of an item, by name and shape. Its definition is in `deliver.ts`. */
export const deliverJob = {
  kind: 'intake.deliver',
  schema: z.strictObject({ item_id: Id }),
} as const;

export const deliverKey = (itemId: string) => `intake:${itemId}`;

/** Queues the e-mail of an item for the next attempt, which is due now. */
export async function sendNow({ queue }: Pick<IntakeParts, 'queue'>, tx: WriteTx, id: string): Promise<void> {
  const isNew = await queue.enqueue(tx, deliverJob, { payload: { item_id: id }, key: deliverKey(id) });
  if (!isNew) await queue.makeDue(tx, deliverKey(id));
}
