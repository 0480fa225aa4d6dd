import type { ReadDb, WriteTx } from '../../db/database.ts';
import type { SentFileRow } from './types.ts';

const ONLY = 1;

async function findSentFile(db: ReadDb, id: string): Promise<SentFileRow | undefined> {
  return db.selectFrom('sent_file').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Returns true when a file was sent with this manifest. */
export async function isManifestSent(db: ReadDb, manifest: string): Promise<boolean> {
  const sent = db.selectFrom('sent_file').select('id').where('manifest', '=', manifest);
  return (await sent.where('fax_id', 'is not', null).limit(1).executeTakeFirst()) !== undefined;
}

/** Takes a file unless it is taken. Returns its row, and whether the row is new. */
export async function claimSentFile(
  tx: WriteTx,
  row: SentFileRow,
): Promise<{ readonly row: SentFileRow; readonly isNew: boolean }> {
  const result = await tx
    .insertInto('sent_file')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst();
  const known = await findSentFile(tx, row.id);
  if (!known) throw new Error(`the file ${row.id} is neither new nor known`);
  return { row: known, isNew: Number(result.numInsertedOrUpdatedRows ?? 0) === 1 };
}

/** Changes a file whose fax is not recorded yet: sets its fax, or the principal it is sent for. */
export async function changeSentFile(
  tx: WriteTx,
  id: string,
  change: Partial<Pick<SentFileRow, 'principal_id' | 'fax_id'>>,
): Promise<void> {
  await tx.updateTable('sent_file').set(change).where('id', '=', id).where('fax_id', 'is', null).execute();
}

/**
 * Deletes the row of a file that was certainly not accepted, so that it can be tried again once the file or the
 * settings are corrected.
 */
export async function deleteSentFile(tx: WriteTx, id: string): Promise<void> {
  await tx.deleteFrom('sent_file').where('id', '=', id).where('fax_id', 'is', null).execute();
}

/** Returns the mark of this installation's send folder. `made` becomes the mark when there is none. */
export async function folderMark(tx: WriteTx, made: string): Promise<string> {
  await tx
    .insertInto('send_folder')
    .values({ id: ONLY, mark: made })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  const row = await tx
    .selectFrom('send_folder')
    .select('mark')
    .where('id', '=', ONLY)
    .executeTakeFirstOrThrow();
  return row.mark;
}
