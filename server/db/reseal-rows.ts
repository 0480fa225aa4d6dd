import { sql } from 'kysely';
import { SealError } from '../platform/errors.ts';
import { isSealedText, type Seal } from '../platform/seal.ts';
import type { Database, WriteTx } from './database.ts';
import { SEALED_COLUMNS, type SealedColumn } from './sealed-columns.ts';
import type { StoredRow } from './snapshot.ts';
import { pagesOf, primaryKeyOf, type RowKey } from './table-pages.ts';

/** Place in the work on the sealed columns: the tables before `table` are complete. */
interface ResealPlace {
  readonly table: string;
  /** Key of the last row that was looked at; null before the first. */
  readonly after: RowKey | null;
}

/** Seals of a replacement of the data key. */
export interface ReplacingSeals {
  /** Has the new key alone. */
  readonly next: Seal;
  /** Opens with both keys. */
  readonly both: Seal;
}

/** Counts of some rows: texts that were sealed anew, and texts that open with neither key. */
export interface ResealCounts {
  readonly resealed: number;
  readonly unreadable: number;
}

/** A text of a row, sealed anew. */
interface Change {
  readonly row: StoredRow;
  readonly column: string;
  readonly from: string;
  readonly to: string;
}

/** Result for a text that no key opens. */
export const UNREADABLE: unique symbol = Symbol('opens with neither key');

/** Result for one sealed text: the text sealed anew, null when the new key opens it, or that no key does. */
export function resealText(
  sealed: string,
  context: string,
  { next, both }: ReplacingSeals,
): string | null | typeof UNREADABLE {
  try {
    next.open(sealed, context);
    return null;
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
  }
  try {
    return next.seal(both.open(sealed, context), context);
  } catch (error) {
    if (error instanceof SealError) return UNREADABLE;
    throw error;
  }
}

/**
 * Seals the texts of every sealed column with the new key, from a place on (null for the beginning), page by page. A text is
 * replaced only while it is the one that was read. `record` keeps the place in the transaction of each page with changes, and
 * after each table. Ends early when `isStopped`.
 */
export async function resealRows(
  db: Database,
  from: ResealPlace | null,
  parts: {
    readonly seals: ReplacingSeals;
    readonly isStopped: () => boolean;
    readonly record: (tx: WriteTx, place: ResealPlace, counts: ResealCounts) => Promise<void>;
    /** Called after the commit of what was recorded. */
    readonly onRecorded: (place: ResealPlace, counts: ResealCounts) => void;
  },
): Promise<void> {
  const tables = [...new Set(SEALED_COLUMNS.map(({ table }) => table))];
  const first = from === null ? 0 : Math.max(0, tables.indexOf(from.table));
  for (const table of tables.slice(first)) {
    const columns = SEALED_COLUMNS.filter((each) => each.table === table);
    const key = await primaryKeyOf(db, table);
    let after = from?.table === table ? from.after : null;
    let unreadable = 0;
    for await (const page of pagesOf(db, table, after)) {
      if (parts.isStopped()) return;
      const found = changesOf(page.rows, columns, parts.seals);
      unreadable += found.unreadable;
      after = page.last;
      if (found.changes.length === 0) continue;
      const place = { table, after };
      const counted = unreadable;
      const counts = await db.transaction(async (tx) => {
        let resealed = 0;
        for (const change of found.changes) resealed += await replace(tx, { table, key }, change);
        await parts.record(tx, place, { resealed, unreadable: counted });
        return { resealed, unreadable: counted };
      });
      parts.onRecorded(place, counts);
      unreadable = 0;
    }
    const place = { table, after };
    const counts = { resealed: 0, unreadable };
    await db.transaction((tx) => parts.record(tx, place, counts));
    parts.onRecorded(place, counts);
  }
}

function changesOf(rows: readonly StoredRow[], columns: readonly SealedColumn[], seals: ReplacingSeals) {
  const changes: Change[] = [];
  let unreadable = 0;
  for (const row of rows)
    for (const { column, context } of columns) {
      const from = row[column];
      if (typeof from !== 'string' || !isSealedText(from)) continue;
      const to = resealText(from, context(row), seals);
      if (to === UNREADABLE) unreadable += 1;
      else if (to !== null) changes.push({ row, column, from, to });
    }
  return { changes, unreadable };
}

/** Returns the number of replaced texts: 0 when the row was changed meanwhile. */
async function replace(
  tx: WriteTx,
  { table, key }: { table: string; key: readonly string[] },
  { row, column, from, to }: Change,
): Promise<number> {
  const isRow = sql.join(
    key.map((name) => sql`${sql.ref(name)} = ${row[name]}`),
    sql` and `,
  );
  const { numAffectedRows } = await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${to}
    where ${isRow} and ${sql.ref(column)} = ${from}`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}
