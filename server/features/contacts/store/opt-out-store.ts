import type { ReadDb, WriteTx } from '../../../db/database.ts';
import { cutPage, decodeCursor } from '../../../db/keyset.ts';
import { prepareQuery, type ValueOf } from '../../../db/prepared-query.ts';
import type { OptedOutNumberTable } from '../../../db/schema/contacts.ts';
import type { ContactScope } from '../types.ts';
import { ownedBy } from './owned-by.ts';

export type OptOutRow = OptedOutNumberTable;

const byNumber = prepareQuery((db: ReadDb, value: ValueOf<{ number: string }>) =>
  db.selectFrom('opted_out_number').selectAll().where('number', '=', value('number')),
);

/** Returns the entry of an E.164 number on the opt-out list; undefined when it is not on it. */
export async function findOptOut(db: ReadDb, number: string): Promise<OptOutRow | undefined> {
  return (await byNumber(db, { number }))[0];
}

/** Returns those of the E.164 numbers that are on the opt-out list. */
export async function optedOutAmong(db: ReadDb, numbers: readonly string[]): Promise<Set<string>> {
  if (numbers.length === 0) return new Set();
  const rows = await db
    .selectFrom('opted_out_number')
    .select('number')
    .where('number', 'in', [...new Set(numbers)])
    .execute();
  return new Set(rows.map(({ number }) => number));
}

/** Adds entries, at most a few hundred at once; numbers on the list stay as they are. Returns the count of new ones. */
export async function insertOptOuts(tx: WriteTx, rows: readonly OptOutRow[]): Promise<number> {
  if (rows.length === 0) return 0;
  const result = await tx
    .insertInto('opted_out_number')
    .values([...rows])
    .onConflict((conflict) => conflict.column('number').doNothing())
    .executeTakeFirst();
  return Number(result.numInsertedOrUpdatedRows ?? 0);
}

/** Returns false when the number was not on the list. */
export async function deleteOptOut(tx: WriteTx, number: string): Promise<boolean> {
  const result = await tx.deleteFrom('opted_out_number').where('number', '=', number).executeTakeFirst();
  return Number(result.numDeletedRows) === 1;
}

interface OptOutFilter {
  /** Part of the number; null for all. */
  readonly digits: string | null;
  /** Numbers after this one; null from the first on. */
  readonly after: string | null;
  readonly limit: number;
}

/** Number of a contact that opted out. */
interface OptedOutContactNumber {
  readonly number: string;
  readonly id: string;
  readonly name: string;
  readonly consent_note: string | null;
  readonly opted_out_at: string | null;
}

interface OptOutEntry {
  readonly number: string;
  /** Its entry on the list, or its contact that opted out. */
  readonly of: { readonly listed: OptOutRow } | { readonly contact: OptedOutContactNumber };
}

/** Lists the numbers of the list and of contacts in the scope that opted out, by number. */
export async function listOptOuts(
  db: ReadDb,
  request: { digits: string | null; scope: ContactScope; limit: number; cursor?: string | undefined },
): Promise<{ items: OptOutEntry[]; next_cursor: string | null }> {
  const { digits, scope, limit, cursor } = request;
  const after = cursor === undefined ? null : (decodeCursor(cursor, 1)[0] ?? null);
  const filter = { digits, after, limit: limit + 1 };
  const [listed, contacts] = await Promise.all([listOwn(db, filter), listOfContacts(db, filter, scope)]);
  const known = await optedOutAmong(
    db,
    contacts.map(({ number }) => number),
  );
  const entries = [
    ...listed.map((row): OptOutEntry => ({ number: row.number, of: { listed: row } })),
    ...contacts
      .filter(({ number }) => !known.has(number))
      .map((row): OptOutEntry => ({ number: row.number, of: { contact: row } })),
  ].toSorted((a, b) => Number(a.number > b.number) - Number(a.number < b.number));
  return cutPage(entries.slice(0, limit + 1), limit, ({ number }) => [number]);
}

async function listOwn(db: ReadDb, { digits, after, limit }: OptOutFilter): Promise<OptOutRow[]> {
  let query = db.selectFrom('opted_out_number').selectAll().orderBy('number').limit(limit);
  if (digits !== null) query = query.where('number', 'like', `%${digits}%`);
  if (after !== null) query = query.where('number', '>', after);
  return query.execute();
}

async function listOfContacts(
  db: ReadDb,
  { digits, after, limit }: OptOutFilter,
  scope: ContactScope,
): Promise<OptedOutContactNumber[]> {
  let query = db
    .selectFrom('contact as c')
    .innerJoin('contact_number as n', 'n.contact_id', 'c.id')
    .select(['n.number', 'c.id', 'c.name', 'c.consent_note', 'c.opted_out_at'])
    .where('c.opted_out_at', 'is not', null)
    .orderBy('n.number')
    .limit(limit);
  if (scope !== null) query = query.where(ownedBy(scope, 'c.owner_mailbox_id'));
  if (digits !== null) query = query.where('n.number', 'like', `%${digits}%`);
  if (after !== null) query = query.where('n.number', '>', after);
  return query.execute();
}
