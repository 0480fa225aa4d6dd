import { containsAny } from '../../../db/contains.ts';
import type { ReadDb } from '../../../db/database.ts';
import { cutPage, decodeCursor } from '../../../db/keyset.ts';
import type { ContactRow } from '../types.ts';

interface ContactFilter {
  readonly ids?: readonly string[] | undefined;
  /** E.164. */
  readonly number?: string | undefined;
  readonly blocked?: boolean | undefined;
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
  const { limit } = filter;
  const rows = await matching(db, filter)
    .selectAll()
    .orderBy('sort_name')
    .orderBy('id')
    .limit(limit + 1)
    .execute();
  return cutPage(rows, limit, (row) => [row.sort_name, row.id]);
}

/** The numbers of the first contacts, by name, in which all words are found. */
export async function numbersOf(
  db: ReadDb,
  { words, limit }: Required<Pick<ContactFilter, 'words' | 'limit'>>,
): Promise<string[]> {
  const rows = await matching(db, { words, limit })
    .select('fax_number')
    .orderBy('sort_name')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ fax_number }) => fax_number);
}

function matching(db: ReadDb, { ids, number, blocked, hasKey, words = [], cursor }: ContactFilter) {
  let query = db.selectFrom('contact');
  if (ids !== undefined) query = query.where('id', 'in', ids);
  if (number !== undefined) query = query.where('fax_number', '=', number);
  if (blocked !== undefined) query = query.where('blocked', '=', blocked ? 1 : 0);
  if (hasKey !== undefined) query = query.where('shared_key', hasKey ? 'is not' : 'is', null);
  for (const spellings of words) query = query.where(containsAny(spellings));
  if (cursor === undefined) return query;
  const [name = '', id = ''] = decodeCursor(cursor, 2);
  return query.where((eb) =>
    eb.or([eb('sort_name', '>', name), eb.and([eb('sort_name', '=', name), eb('id', '>', id)])]),
  );
}
