import type { ReadDb, WriteTx } from '../../../db/database.ts';
import type { InboundOriginalTable } from '../../../db/schema/inbound.ts';

export type OriginalRow = InboundOriginalTable;

const NOT_LOOKED_AT = {
  state: null,
  contact_id: null,
  pages_found: null,
  pages_needed: null,
  document_name: null,
  media_type: null,
  sha256: null,
  size_bytes: null,
  document: null,
} as const;

export async function findOriginal(db: ReadDb, faxId: string): Promise<OriginalRow | undefined> {
  return db.selectFrom('inbound_original').selectAll().where('fax_id', '=', faxId).executeTakeFirst();
}

/** Returns the rows by the id of the fax; faxes without encoded pages have none. */
export async function originalsOf(
  db: ReadDb,
  faxIds: readonly string[],
): Promise<ReadonlyMap<string, OriginalRow>> {
  if (faxIds.length === 0) return new Map();
  const rows = await db.selectFrom('inbound_original').selectAll().where('fax_id', 'in', faxIds).execute();
  return new Map(rows.map((row) => [row.fax_id, row]));
}

/** Records that a fax is about to be looked at; e-mails wait for that until `until` (ISO 8601 UTC). */
export async function awaitDecoding(tx: WriteTx, faxId: string, until: string): Promise<void> {
  await tx
    .insertInto('inbound_original')
    .values({ fax_id: faxId, ...NOT_LOOKED_AT, awaited_until: until })
    .onConflict((conflict) => conflict.column('fax_id').doUpdateSet({ awaited_until: until }))
    .execute();
}

/** Names the contact whose key is tried besides that of the sender. */
export async function chooseContact(tx: WriteTx, faxId: string, contactId: string): Promise<void> {
  await tx
    .updateTable('inbound_original')
    .set({ contact_id: contactId })
    .where('fax_id', '=', faxId)
    .execute();
}

export async function changeOriginal(
  tx: WriteTx,
  faxId: string,
  changes: Partial<Omit<OriginalRow, 'fax_id'>>,
): Promise<void> {
  await tx.updateTable('inbound_original').set(changes).where('fax_id', '=', faxId).execute();
}

/** Removes the row of a fax whose pages carry no document. */
export async function removeOriginal(tx: WriteTx, faxId: string): Promise<void> {
  await tx.deleteFrom('inbound_original').where('fax_id', '=', faxId).execute();
}

/**
 * Lists the ids of faxes from a number, or with a chosen contact, that lack the right key: those after an id, in the order of
 * their ids, `limit` at most.
 */
export async function listLocked(
  db: ReadDb,
  { number, contactId }: { readonly number: string; readonly contactId: string },
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('inbound_original')
    .innerJoin('inbound_fax', 'inbound_fax.id', 'fax_id')
    .select('fax_id')
    .where('state', 'in', ['key_missing', 'key_wrong_or_altered'])
    .where('inbound_fax.document', 'is not', null)
    .where('fax_id', '>', after)
    .where((eb) => eb.or([eb('from_number', '=', number), eb('contact_id', '=', contactId)]))
    .orderBy('fax_id')
    .limit(limit)
    .execute();
  return rows.map(({ fax_id }) => fax_id);
}
