import type { ReadDb, WriteTx } from '../../../db/database.ts';
import { prepareQuery, type ValueOf } from '../../../db/prepared-query.ts';
import type { ContactName, ContactRow } from '../types.ts';

export async function findContact(db: ReadDb, id: string): Promise<ContactRow | undefined> {
  return db.selectFrom('contact').selectAll().where('id', '=', id).executeTakeFirst();
}

const contactByNumber = prepareQuery((db: ReadDb, value: ValueOf<{ number: string }>) =>
  db.selectFrom('contact').selectAll().where('fax_number', '=', value('number')),
);

/** Returns the contact of an E.164 number; undefined when it has none. */
export async function contactOf(db: ReadDb, number: string): Promise<ContactRow | undefined> {
  return (await contactByNumber(db, { number }))[0];
}

/** Lists contacts by E.164 number, each of which has one contact at most. */
export async function contactsOf(db: ReadDb, numbers: readonly string[]): Promise<ContactRow[]> {
  if (numbers.length === 0) return [];
  return db.selectFrom('contact').selectAll().where('fax_number', 'in', numbers).execute();
}

export async function namesOf(
  db: ReadDb,
  numbers: readonly string[],
): Promise<(ContactName & Pick<ContactRow, 'fax_number'>)[]> {
  if (numbers.length === 0) return [];
  return db
    .selectFrom('contact')
    .select(['id', 'name', 'fax_number'])
    .where('fax_number', 'in', numbers)
    .execute();
}

export async function insertContacts(tx: WriteTx, rows: readonly ContactRow[]): Promise<void> {
  if (rows.length > 0) await tx.insertInto('contact').values(rows).execute();
}

/** Moves the version on. False when the contact changed since that version, or is gone. */
export async function updateContact(
  tx: WriteTx,
  { id, version }: Pick<ContactRow, 'id' | 'version'>,
  change: Partial<Omit<ContactRow, 'id' | 'version' | 'created_at'>>,
): Promise<boolean> {
  const result = await tx
    .updateTable('contact')
    .set({ ...change, version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** False when the contact changed since that version, or is gone. */
export async function deleteContact(
  tx: WriteTx,
  { id, version }: Pick<ContactRow, 'id' | 'version'>,
): Promise<boolean> {
  const result = await tx
    .deleteFrom('contact')
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst();
  return result.numDeletedRows === 1n;
}
