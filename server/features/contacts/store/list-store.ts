import { type SqlBool, sql } from 'kysely';
import { containsAny } from '../../../db/contains.ts';
import type { ReadDb } from '../../../db/database.ts';
import { cutPage, decodeCursor } from '../../../db/keyset.ts';
import type { ContactRow, ContactScope } from '../types.ts';
import { ownedBy } from './owned-by.ts';

interface ContactFilter {
  readonly scope: ContactScope;
  readonly ids?: readonly string[] | undefined;
  /** E.164. */
  readonly number?: string | undefined;
  readonly blocked?: boolean | undefined;
  readonly optedOut?: boolean | undefined;
  /** As `foldName` folds it. */
  readonly tag?: string | undefined;
  /** True for a tag of many contacts, of which a page is found soonest in the order of the list. */
  readonly isCommonTag?: boolean | undefined;
  /** True for those with a shared key. */
  readonly hasKey?: boolean | undefined;
  /** Each must be found in one of its spellings, as `platform/search-text.ts` folds them. */
  readonly words?: readonly (readonly string[])[] | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Lists contacts by name, keyset-paged on (sort_name, id). Throws a 400 refusal on a wrong cursor. */
export async function listContacts(
  db: ReadDb,
  filter: ContactFilter,
): Promise<{ items: ContactRow[]; next_cursor: string | null }> {
  const { limit, tag } = filter;
  const isCommonTag = tag !== undefined && (await hasManyContacts(db, tag));
  const rows = await matching(db, { ...filter, isCommonTag })
    .selectAll()
    .orderBy('sort_name')
    .orderBy('id')
    .limit(limit + 1)
    .execute();
  return cutPage(rows, limit, (row) => [row.sort_name, row.id]);
}

/** Contacts of a tag from which on they are found in the order of the list, rather than by the tag. */
const MANY = 1_000;

async function hasManyContacts(db: ReadDb, tag: string): Promise<boolean> {
  const found = await db
    .selectFrom('contact_tag')
    .select('contact_id')
    .where('tag', '=', tag)
    .offset(MANY - 1)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** The fax numbers of the first contacts, by name, in which all words are found. */
export async function numbersOf(
  db: ReadDb,
  { scope, words, limit }: Required<Pick<ContactFilter, 'scope' | 'words' | 'limit'>>,
): Promise<string[]> {
  const rows = await matching(db, { scope, words, limit })
    .select(['fax_number', 'other_fax_numbers'])
    .orderBy('sort_name')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.flatMap(({ fax_number, other_fax_numbers }) => [
    fax_number,
    ...(JSON.parse(other_fax_numbers) as string[]),
  ]);
}

/** Lists the contacts with one of these E.164 fax numbers in which all words are found. */
export async function contactsAmong(
  db: ReadDb,
  {
    scope,
    words,
    numbers,
  }: Required<Pick<ContactFilter, 'scope' | 'words'>> & { numbers: readonly string[] },
): Promise<ContactRow[]> {
  if (numbers.length === 0) return [];
  return matching(db, { scope, words, limit: 0 })
    .selectAll()
    .where('id', 'in', (eb) =>
      eb.selectFrom('contact_number').select('contact_id').where('number', 'in', numbers),
    )
    .execute();
}

/** Lists the first contacts in which all words are found: those whose name begins with `beginning`, then the others, by name. */
export async function completions(
  db: ReadDb,
  {
    beginning,
    ...filter
  }: Required<Pick<ContactFilter, 'scope' | 'words' | 'limit'>> & { beginning: string },
): Promise<ContactRow[]> {
  const first = await matching(db, filter)
    .select('id')
    .where('sort_name', '>=', beginning)
    .where('sort_name', '<', `${beginning}\u{10ffff}`)
    .orderBy('sort_name')
    .orderBy('id')
    .limit(filter.limit)
    .execute();
  const others =
    first.length === filter.limit
      ? []
      : await matching(db, filter)
          .select('id')
          .orderBy('sort_name')
          .orderBy('id')
          .limit(filter.limit)
          .execute();
  const ids = [...new Set([...first, ...others].map(({ id }) => id))].slice(0, filter.limit);
  if (ids.length === 0) return [];
  const rows = await db.selectFrom('contact').selectAll().where('id', 'in', ids).execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

function matching(
  db: ReadDb,
  { scope, ids, number, blocked, optedOut, tag, isCommonTag, hasKey, words = [], cursor }: ContactFilter,
) {
  let query = db.selectFrom('contact');
  if (scope !== null) query = query.where(ownedBy(scope, 'owner_mailbox_id'));
  if (ids !== undefined) query = query.where('id', 'in', ids);
  if (number !== undefined)
    query = query.where('id', 'in', (eb) =>
      eb.selectFrom('contact_number').select('contact_id').where('number', '=', number),
    );
  if (tag !== undefined)
    query = query.where((eb) => {
      const tagged = eb.selectFrom('contact_tag as t').select('t.contact_id').where('t.tag', '=', tag);
      return isCommonTag
        ? eb.exists(tagged.whereRef('t.contact_id', '=', 'contact.id'))
        : eb('contact.id', 'in', tagged);
    });
  if (optedOut !== undefined)
    query = query.where((eb) => {
      const listed = eb
        .selectFrom('contact_number as n')
        .innerJoin('opted_out_number as o', 'o.number', 'n.number')
        .select('n.contact_id');
      const wantsNone = eb.or([eb('opted_out_at', 'is not', null), eb('contact.id', 'in', listed)]);
      return optedOut ? wantsNone : eb.not(wantsNone);
    });
  if (blocked !== undefined) query = query.where('blocked', '=', blocked ? 1 : 0);
  if (hasKey !== undefined) query = query.where('shared_key', hasKey ? 'is not' : 'is', null);
  for (const spellings of words) query = query.where(containsAny(spellings));
  if (cursor === undefined) return query;
  const [name = '', id = ''] = decodeCursor(cursor, 2);
  // As a pair, so that the index is entered there; with OR, SQLite reads all before it.
  return query.where(sql<SqlBool>`(sort_name, id) > (${name}, ${id})`);
}
