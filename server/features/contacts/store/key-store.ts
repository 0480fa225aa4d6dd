import type { ReadDb, WriteTx } from '../../../db/database.ts';
import { foldName } from '../../../platform/search-text.ts';
import type { ContactRow, ContactScope } from '../types.ts';
import { ownedBy } from './owned-by.ts';

type KeyedRow = Pick<ContactRow, 'id' | 'fax_number' | 'other_fax_numbers' | 'tags'>;

/** Rows of one statement: stores limit its values. */
const CHUNK = 2_000;

/** Records by which numbers and tags the contacts are found. Throws a unique violation for a number that is taken. */
export async function insertKeys(tx: WriteTx, rows: readonly KeyedRow[]): Promise<void> {
  const numbers = rows.flatMap(({ id, fax_number, other_fax_numbers }) =>
    [fax_number, ...(JSON.parse(other_fax_numbers) as string[])].map((number) => ({
      number,
      contact_id: id,
    })),
  );
  const tags = rows.flatMap(({ id, tags: labels }) =>
    (JSON.parse(labels) as string[]).map((label) => ({ tag: foldName(label), contact_id: id, label })),
  );
  for (let at = 0; at < numbers.length; at += CHUNK)
    await tx
      .insertInto('contact_number')
      .values(numbers.slice(at, at + CHUNK))
      .execute();
  for (let at = 0; at < tags.length; at += CHUNK)
    await tx
      .insertInto('contact_tag')
      .values(tags.slice(at, at + CHUNK))
      .execute();
}

export async function deleteKeys(tx: WriteTx, contactId: string): Promise<void> {
  await tx.deleteFrom('contact_number').where('contact_id', '=', contactId).execute();
  await tx.deleteFrom('contact_tag').where('contact_id', '=', contactId).execute();
}

/** Counts the contacts in the scope by tag, by name of the tag; at most `limit` tags. */
export async function countTags(
  db: ReadDb,
  scope: ContactScope,
  limit: number,
): Promise<{ tag: string; contacts: number }[]> {
  let query = db
    .selectFrom('contact_tag as t')
    .select((eb) => [eb.fn.min('t.label').as('label'), eb.fn.countAll<number | string>().as('contacts')])
    .groupBy('t.tag')
    .orderBy('t.tag')
    .limit(limit);
  if (scope !== null)
    query = query
      .innerJoin('contact as c', 'c.id', 't.contact_id')
      .where(ownedBy(scope, 'c.owner_mailbox_id'));
  const rows = await query.execute();
  return rows.map(({ label, contacts }) => ({ tag: label, contacts: Number(contacts) }));
}
