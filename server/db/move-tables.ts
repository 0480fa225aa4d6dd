import { sql } from 'kysely';
import { errorCode } from '../platform/errors.ts';
import { insertBulk } from './bulk-insert.ts';
import type { Database, WriteTx } from './database.ts';
import type { StoredRow } from './snapshot.ts';
import { emptyTable } from './staging.ts';
import { canonicalValue } from './table-digest.ts';
import { tablesInOrder } from './table-order.ts';
import { pagesOf, type RowKey } from './table-pages.ts';

/** Tables that say who works on a store; each store has its own. */
export const TABLES_OF_A_STORE: readonly string[] = ['gateway', 'work_permit', 'request_count', 'store_move'];

/** Place in the work of filling a store. The tables before `table` are complete. */
export interface FillProgress {
  readonly table: string;
  /** Key of the last row of the table that is there; null before the first. */
  readonly after: RowKey | null;
}

/** Thrown for a value that the other database cannot store. The message is a sentence for a person. */
class ValueNotMovedError extends Error {
  override name = 'ValueNotMovedError';
}

/** Lists the tables that a move brings over, each after those its foreign keys point to. */
export async function movedTables(db: Database): Promise<string[]> {
  const tables = await tablesInOrder(db.unrestricted as never, db.capabilities);
  return tables.filter((name) => !TABLES_OF_A_STORE.includes(name));
}

/** Removes every row of the moved tables, with those that a migration put in by itself. */
export async function emptyMovedTables(db: Database, tx: WriteTx): Promise<void> {
  const tables = await tablesInOrder(tx as never, db.capabilities);
  for (const table of tables.toReversed())
    if (!TABLES_OF_A_STORE.includes(table)) await emptyTable(tx, table);
}

/** Counts the rows of the tables. */
export async function countRows(db: Database, tables: readonly string[]): Promise<number> {
  let sum = 0;
  for (const table of tables) {
    const query = sql<{ rows: number }>`select count(*) as rows from ${sql.table(table)}`;
    sum += (await query.execute(db.unrestricted)).rows[0]?.rows ?? 0;
  }
  return sum;
}

/** Counts the rows of PostgreSQL for its planner, which does so by itself only a minute later. */
export async function refreshStatistics({ unrestricted, capabilities }: Database): Promise<void> {
  if (capabilities.name === 'postgres') await sql`analyze`.execute(unrestricted);
}

/** Returns the first of the tables that has a row; null when all are empty. */
export async function firstFilledTable(db: Database, tables: readonly string[]): Promise<string | null> {
  for (const table of tables)
    for await (const { rows } of pagesOf(db, table, null)) if (rows.length > 0) return table;
  return null;
}

/**
 * Copies the rows of the tables, from where an earlier run of it came to. Each page is one transaction of the target, in which
 * `record` keeps how far it is. Throws ValueNotMovedError.
 */
export async function fillTables(
  stores: { readonly source: Database; readonly target: Database; readonly tables: readonly string[] },
  from: FillProgress | null,
  parts: {
    readonly record: (tx: WriteTx, progress: FillProgress) => Promise<void>;
    readonly onRows: (count: number) => void;
    /** Called for each text that is moved without the character NUL. */
    readonly onNul: () => void;
  },
): Promise<void> {
  const { source, target, tables } = stores;
  const first = from === null ? 0 : Math.max(0, tables.indexOf(from.table));
  for (const table of tables.slice(first)) {
    const after = from?.table === table ? from.after : null;
    for await (const { rows, last } of pagesOf(source, table, after)) {
      const moved = rows.map((row) => movedRow(table, row, parts.onNul));
      await target
        .transaction(async (tx) => {
          await insertBulk(tx, target.capabilities, table, moved);
          await parts.record(tx, { table, after: last });
        })
        .catch((error: unknown) => {
          throw refusedRow(table, error);
        });
      parts.onRows(rows.length);
    }
  }
}

/** PostgreSQL has types where SQLite takes any value. */
function refusedRow(table: string, error: unknown): unknown {
  const code = errorCode(error);
  if (!/^(?:2[23]\w{3}|SQLITE_CONSTRAINT\w*)$/u.test(code)) return error;
  return new ValueNotMovedError(
    `The other database does not take a record of the table ${table} (${code}). The installation that is moved was not changed.`,
    { cause: error },
  );
}

function movedRow(table: string, row: StoredRow, onNul: () => void): StoredRow {
  const moved: StoredRow = {};
  for (const [name, value] of Object.entries(row)) moved[name] = movedValue(`${table}.${name}`, value, onNul);
  return moved;
}

/** A number that JavaScript does not hold exactly was read wrongly already. */
function movedValue(column: string, value: unknown, onNul: () => void): unknown {
  if (typeof value === 'string') {
    if (value.includes('\0')) onNul();
    return canonicalValue(value);
  }
  if (typeof value !== 'number' || !Number.isInteger(value) || Number.isSafeInteger(value)) return value;
  throw new ValueNotMovedError(
    `The column ${column} has a number that is too large to be moved exactly. The installation that is moved was not changed.`,
  );
}
