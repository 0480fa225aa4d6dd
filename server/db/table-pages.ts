import { type Kysely, sql } from 'kysely';
import type { Database } from './database.ts';
import type { StoredRow } from './snapshot.ts';

/** Values of the primary key of a row, in the order of its columns. */
export type RowKey = readonly (string | number)[];

/** Rows of one page, and the key of the last one. */
interface TablePage {
  readonly rows: readonly StoredRow[];
  readonly last: RowKey;
}

const MOST_ROWS = 250;
/** Characters of a page that the number of rows aims at: rows may be long. */
const PAGE_CHARACTERS = 1_000_000;

/** Lists the columns of the primary key of a table, in its order. */
export async function primaryKeyOf(
  { unrestricted, capabilities }: Database,
  table: string,
): Promise<string[]> {
  const query =
    capabilities.name === 'sqlite'
      ? sql<{ name: string }>`select name from pragma_table_info(${table}) where pk > 0 order by pk`
      : sql<{ name: string }>`select a.attname as name from pg_index i
          cross join unnest(i.indkey) with ordinality k(attnum, at)
          join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
          where i.indrelid = to_regclass(${sql.lit(`"${table}"`)}) and i.indisprimary order by k.at`;
  return (await query.execute(unrestricted)).rows.map(({ name }) => name);
}

/**
 * Reads a table after a key (null for its beginning) in pages, in the order of its primary key as its database sorts it. A
 * page has fewer rows where they are long.
 */
export async function* pagesOf(db: Database, table: string, after: RowKey | null): AsyncGenerator<TablePage> {
  const columns = await primaryKeyOf(db, table);
  const whole = db.unrestricted as unknown as Kysely<never>;
  const key = sql.join(columns.map((name) => sql.ref(name)));
  let last = after;
  for (let limit = MOST_ROWS / 5; ; ) {
    const rest = last === null ? sql`true` : sql`(${key}) > (${sql.join([...last])})`;
    const { rows } = await sql<StoredRow>`select * from ${sql.table(table)} where ${rest}
      order by ${key} limit ${sql.lit(limit)}`.execute(whole);
    const end = rows.at(-1);
    if (end === undefined) return;
    last = columns.map((name) => end[name] as string | number);
    yield { rows, last };
    if (rows.length < limit) return;
    const perRow = rows.reduce((sum, row) => sum + charactersOf(row), 1) / rows.length;
    limit = Math.max(1, Math.min(MOST_ROWS, Math.floor(PAGE_CHARACTERS / perRow)));
  }
}

function charactersOf(row: StoredRow): number {
  let sum = 0;
  for (const value of Object.values(row)) sum += typeof value === 'string' ? value.length : 8;
  return sum;
}
