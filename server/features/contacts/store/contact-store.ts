import type { ReadDb, WriteTx } from '../../../db/database.ts';
import { prepareQuery, type ValueOf } from '../../../db/prepared-query.ts';
import type { ContactName, ContactRow, ContactScope } from '../types.ts';
import { deleteKeys, insertKeys } from './key-store.ts';
import { ownedBy } from './owned-by.ts';

export async function findContact(db: ReadDb, id: string): Promise<ContactRow | undefined> {
  return db.selectFrom('contact').selectAll().where('id', '=', id).executeTakeFirst();
}

const contactByNumber = prepareQuery((db: ReadDb, value: ValueOf<{ number: string }>) =>
  db
    .selectFrom('contact_number as n')
    .innerJoin('contact as c', 'c.id', 'n.contact_id')
    .selectAll('c')
    .where('n.number', '=', value('number')),
);

/** Returns the contact with an E.164 fax number; undefined when it has none. */
export async function contactOf(db: ReadDb, number: string): Promise<ContactRow | undefined> {
  return (await contactByNumber(db, { number }))[0];
}

/** Counts the contacts with this cover page. */
export async function countWithCover(db: ReadDb, coverId: string): Promise<number> {
  const { n } = await db
    .selectFrom('contact')
    .select((eb) => eb.fn.countAll().as('n'))
    .where('cover_id', '=', coverId)
    .executeTakeFirstOrThrow();
  return Number(n);
}

/** Lists contacts by E.164 fax number, each of which has one contact at most. */
export async function contactsOf(db: ReadDb, numbers: readonly string[]): Promise<ContactRow[]> {
  if (numbers.length === 0) return [];
  return db
    .selectFrom('contact')
    .selectAll()
    .where('id', 'in', (eb) =>
      eb.selectFrom('contact_number').select('contact_id').where('number', 'in', numbers),
    )
    .execute();
}

/** Lists the contacts that have one of the E.164 fax numbers. */
export async function contactIdsOf(
  db: ReadDb,
  numbers: readonly string[],
): Promise<{ number: string; contact_id: string }[]> {
  if (numbers.length === 0) return [];
  return db.selectFrom('contact_number').selectAll().where('number', 'in', numbers).execute();
}

type NamedNumber = ContactName & { readonly number: string };

/** Returns the names of contacts in the scope by their E.164 fax numbers. */
export async function namesOf(
  db: ReadDb,
  numbers: readonly string[],
  scope: ContactScope,
): Promise<NamedNumber[]> {
  if (numbers.length === 0) return [];
  const query = db
    .selectFrom('contact_number as n')
    .innerJoin('contact as c', 'c.id', 'n.contact_id')
    .select(['c.id', 'c.name', 'n.number'])
    .where('n.number', 'in', numbers);
  return (scope === null ? query : query.where(ownedBy(scope, 'c.owner_mailbox_id'))).execute();
}

/** Returns the names of contacts in the scope by their E.164 voice numbers. */
export async function voiceNamesOf(
  db: ReadDb,
  numbers: readonly string[],
  scope: ContactScope,
): Promise<NamedNumber[]> {
  if (numbers.length === 0) return [];
  const query = db
    .selectFrom('contact as c')
    .select(['c.id', 'c.name', 'c.voice_number as number'])
    .where('c.voice_number', 'in', numbers)
    .orderBy('c.sort_name');
  const rows = await (scope === null ? query : query.where(ownedBy(scope, 'c.owner_mailbox_id'))).execute();
  return rows.flatMap(({ number, ...named }) => (number === null ? [] : [{ ...named, number }]));
}

export async function insertContacts(tx: WriteTx, rows: readonly ContactRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.insertInto('contact').values(rows).execute();
  await insertKeys(tx, rows);
}

/** Moves the version on. False when the contact changed since that version, or is gone. */
export async function updateContact(
  tx: WriteTx,
  { id, version }: Pick<ContactRow, 'id' | 'version'>,
  change: Omit<ContactRow, 'id' | 'version' | 'created_at' | 'shared_key' | 'shared_key_fingerprint'> &
    Partial<Pick<ContactRow, 'shared_key' | 'shared_key_fingerprint'>>,
): Promise<boolean> {
  const result = await tx
    .updateTable('contact')
    .set({ ...change, version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst();
  if (result.numUpdatedRows !== 1n) return false;
  await deleteKeys(tx, id);
  await insertKeys(tx, [{ id, ...change }]);
  return true;
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
  if (result.numDeletedRows !== 1n) return false;
  await deleteKeys(tx, id);
  return true;
}
