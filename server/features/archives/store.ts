import type { Capabilities } from '../../db/capabilities.ts';
import type { ReadDb, WriteTx } from '../../db/database.ts';
import type { ArchiveRemovalFaxTable, ArchiveRemovalTable } from '../../db/schema/archives.ts';
import { insertRows } from '../../db/staging.ts';

export type RemovalRow = ArchiveRemovalTable;
export type PlannedFax = ArchiveRemovalFaxTable;

/** More than an installation ever has. */
const MAX_LISTED = 200;

export async function insertRemoval(tx: WriteTx, row: RemovalRow): Promise<void> {
  await tx.insertInto('archive_removal').values(row).execute();
}

export async function findRemoval(db: ReadDb, id: string): Promise<RemovalRow | undefined> {
  return db.selectFrom('archive_removal').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Finds a removal that nobody else changes until the end of the transaction. */
export async function lockRemoval(
  tx: WriteTx,
  { soleProcess }: Capabilities,
  id: string,
): Promise<RemovalRow | undefined> {
  const query = tx.selectFrom('archive_removal').selectAll().where('id', '=', id);
  return (soleProcess ? query : query.forUpdate()).executeTakeFirst();
}

/** Lists the removals, newest first. */
export async function listRemovals(db: ReadDb): Promise<RemovalRow[]> {
  return db
    .selectFrom('archive_removal')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_LISTED)
    .execute();
}

/** Lists the removals in a state. */
export async function removalsIn(db: ReadDb, state: RemovalRow['state']): Promise<RemovalRow[]> {
  return db.selectFrom('archive_removal').selectAll().where('state', '=', state).execute();
}

/**
 * Changes a removal; the only statement that changes its state. Null when it changed since `version`, or is in another state
 * than it was.
 */
export async function changeRemoval(
  tx: WriteTx,
  { id, version, state }: Pick<RemovalRow, 'id' | 'version' | 'state'>,
  changes: Partial<Omit<RemovalRow, 'id' | 'version'>>,
): Promise<RemovalRow | null> {
  const changed = await tx
    .updateTable('archive_removal')
    .set({ ...changes, version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .where('state', '=', state)
    .returningAll()
    .executeTakeFirst();
  return changed ?? null;
}

/** Records the progress of a removal, which is no choice of a person: its version stays. */
export async function recordProgress(
  tx: WriteTx,
  id: string,
  progress: Partial<
    Pick<RemovalRow, 'waiting' | 'removed_sent' | 'removed_received' | 'staying' | 'gone' | 'not_archived'>
  >,
): Promise<void> {
  await tx.updateTable('archive_removal').set(progress).where('id', '=', id).execute();
}

export async function insertPlanned(tx: WriteTx, rows: readonly PlannedFax[]): Promise<void> {
  await insertRows(tx, 'archive_removal_fax', rows as never);
}

/** Lists the first faxes that are to leave and have not left. */
export async function nextPlanned(db: ReadDb, removalId: string, limit: number): Promise<PlannedFax[]> {
  return db
    .selectFrom('archive_removal_fax')
    .selectAll()
    .where('removal_id', '=', removalId)
    .orderBy('position')
    .limit(limit)
    .execute();
}

/** Deletes the plan of a removal that is given up. */
export async function deletePlan(tx: WriteTx, removalId: string): Promise<void> {
  await tx.deleteFrom('archive_removal_fax').where('removal_id', '=', removalId).execute();
}

/** Deletes the first planned faxes, up to a position. */
export async function deletePlanned(tx: WriteTx, removalId: string, upTo: number): Promise<void> {
  await tx
    .deleteFrom('archive_removal_fax')
    .where('removal_id', '=', removalId)
    .where('position', '<=', upTo)
    .execute();
}
