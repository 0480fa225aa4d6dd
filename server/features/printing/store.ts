import type { ReadDb, WriteTx } from '../../db/database.ts';
import type { PrintedDocumentRow, PrinterRow, PrintPasswordRow } from './types.ts';

/** Lists the documents of a person, and those of no one where `withUnclaimed`, newest first. */
export async function listPrinted(
  db: ReadDb,
  ownerId: string,
  withUnclaimed: boolean,
): Promise<PrintedDocumentRow[]> {
  return db
    .selectFrom('printed_document')
    .selectAll()
    .where((eb) =>
      withUnclaimed
        ? eb.or([eb('owner_id', '=', ownerId), eb('owner_id', 'is', null)])
        : eb('owner_id', '=', ownerId),
    )
    .orderBy('printed_at', 'desc')
    .orderBy('id')
    .execute();
}

export async function findPrinted(db: ReadDb, id: string): Promise<PrintedDocumentRow | undefined> {
  return db.selectFrom('printed_document').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Finds a document that was printed from the same content by the same account since an ISO time and still waits. */
export async function findRepeated(
  db: ReadDb,
  printKey: string,
  since: string,
): Promise<PrintedDocumentRow | undefined> {
  return db
    .selectFrom('printed_document')
    .selectAll()
    .where('print_key', '=', printKey)
    .where('printed_at', '>=', since)
    .orderBy('printed_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}

export async function insertPrinted(tx: WriteTx, row: PrintedDocumentRow): Promise<void> {
  await tx.insertInto('printed_document').values(row).execute();
}

/** Gives a document of no one to a person. False when it is gone or someone has it. */
export async function claimPrinted(
  tx: WriteTx,
  { id, owner_id, version }: Pick<PrintedDocumentRow, 'id' | 'owner_id' | 'version'>,
): Promise<boolean> {
  const result = await tx
    .updateTable('printed_document')
    .set({ owner_id, version })
    .where('id', '=', id)
    .where('owner_id', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** False when it is gone. */
export async function deletePrinted(tx: WriteTx, id: string): Promise<boolean> {
  const result = await tx.deleteFrom('printed_document').where('id', '=', id).executeTakeFirst();
  return result.numDeletedRows === 1n;
}

/** Lists documents that were printed before an ISO time, oldest first. */
export async function listOldPrinted(
  db: ReadDb,
  before: string,
  limit: number,
): Promise<PrintedDocumentRow[]> {
  return db
    .selectFrom('printed_document')
    .selectAll()
    .where('printed_at', '<', before)
    .orderBy('printed_at')
    .limit(limit)
    .execute();
}

export async function keptPrinted(db: ReadDb, names: readonly string[]): Promise<Set<string>> {
  if (names.length === 0) return new Set();
  const rows = await db
    .selectFrom('printed_document')
    .select('artifact')
    .where('artifact', 'in', names)
    .execute();
  return new Set(rows.map(({ artifact }) => artifact));
}

export async function hasPrinted(db: ReadDb): Promise<boolean> {
  const row = await db.selectFrom('printed_document').select('artifact').limit(1).executeTakeFirst();
  return row !== undefined;
}

/** Counts the documents that wait, and their bytes. */
export async function sumPrinted(db: ReadDb): Promise<{ documents: number; bytes: number }> {
  const row = await db
    .selectFrom('printed_document')
    .select((eb) => [eb.fn.countAll().as('documents'), eb.fn.sum('size_bytes').as('bytes')])
    .executeTakeFirstOrThrow();
  return { documents: Number(row.documents), bytes: Number(row.bytes ?? 0) };
}

/** Counts the documents that wait: of a person, and of no one. */
export async function countPrinted(db: ReadDb): Promise<Record<string, number>> {
  const row = await db
    .selectFrom('printed_document')
    .select((eb) => [eb.fn.countAll().as('all'), eb.fn.count('owner_id').as('taken')])
    .executeTakeFirstOrThrow();
  return { taken: Number(row.taken), unclaimed: Number(row.all) - Number(row.taken) };
}

/** Returns the printer, which is created with this UUID at first. */
export async function openPrinter(tx: WriteTx, uuid: string): Promise<PrinterRow> {
  await tx
    .insertInto('printer')
    .values({ id: 1, uuid, last_job: 0 })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  return tx.selectFrom('printer').selectAll().where('id', '=', 1).executeTakeFirstOrThrow();
}

/** Returns the number of a new job; numbers start again at 1 after 2,147,483,647. */
export async function nextJobNumber(tx: WriteTx): Promise<number> {
  await tx
    .updateTable('printer')
    .set((eb) => ({
      last_job: eb
        .case()
        .when('last_job', '>=', 2_147_483_647)
        .then(1)
        .else(eb('last_job', '+', 1))
        .end(),
    }))
    .where('id', '=', 1)
    .execute();
  const row = await tx.selectFrom('printer').select('last_job').where('id', '=', 1).executeTakeFirstOrThrow();
  return row.last_job;
}

export async function findPassword(db: ReadDb, personId: string): Promise<PrintPasswordRow | undefined> {
  return db.selectFrom('print_password').selectAll().where('person_id', '=', personId).executeTakeFirst();
}

/** Replaces the password of a person. */
export async function writePassword(tx: WriteTx, row: PrintPasswordRow): Promise<void> {
  const { hash, created_at } = row;
  await tx
    .insertInto('print_password')
    .values(row)
    .onConflict((conflict) => conflict.column('person_id').doUpdateSet({ hash, created_at }))
    .execute();
}

/** False when the person has none. */
export async function deletePassword(tx: WriteTx, personId: string): Promise<boolean> {
  const result = await tx.deleteFrom('print_password').where('person_id', '=', personId).executeTakeFirst();
  return result.numDeletedRows === 1n;
}
