import type { ReadDb, WriteTx } from '../../../db/database.ts';
import type { JobRow } from '../types.ts';

/** Records that its sender has not seen the failure. */
export async function markUnseen(tx: WriteTx, { id, created_by }: JobRow): Promise<void> {
  await tx
    .insertInto('fax_unseen_failure')
    .values({ created_by, job_id: id })
    .onConflict((conflict) => conflict.columns(['created_by', 'job_id']).doNothing())
    .execute();
}

/** False when there was nothing to forget. */
export async function clearUnseen(tx: WriteTx, { id, created_by }: JobRow): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('fax_unseen_failure')
    .where('created_by', '=', created_by)
    .where('job_id', '=', id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function countUnseen(db: ReadDb, personId: string): Promise<number> {
  const { count } = await db
    .selectFrom('fax_unseen_failure')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('created_by', '=', personId)
    .executeTakeFirstOrThrow();
  return count;
}
