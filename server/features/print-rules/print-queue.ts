import { z } from 'zod';
import { Id } from '../../../shared/api/values.ts';
import type { WriteTx } from '../../db/database.ts';
import type { PrintParts } from './parts.ts';

/** Job that takes a printout a step further, by name and shape. Its definition is in `print.ts`. */
export const printJob = {
  kind: 'print-rules.print',
  schema: z.strictObject({ printout_id: Id }),
} as const;

const printKey = (printoutId: string) => `printout:${printoutId}`;

/** Queues the next step of a printout, which is due now. */
export async function printNow({ queue }: Pick<PrintParts, 'queue'>, tx: WriteTx, id: string): Promise<void> {
  const isNew = await queue.enqueue(tx, printJob, { payload: { printout_id: id }, key: printKey(id) });
  if (!isNew) await queue.makeDue(tx, printKey(id));
}
