import { CompiledQuery, type Kysely, sql } from 'kysely';
import type { Capabilities } from './capabilities.ts';
import type { WriteTx } from './database.ts';
import type { StoredRow } from './snapshot.ts';

/**
 * Adds rows that have every column of the table, in the way that is fastest for the database: PostgreSQL takes them as one value,
 * SQLite keeps one short statement prepared. A statement with a place for each value of many rows takes several times as long, and
 * hundreds of megabytes where it is kept.
 */
export async function insertBulk(
  tx: WriteTx,
  { name }: Capabilities,
  table: string,
  rows: readonly StoredRow[],
): Promise<void> {
  const whole = tx as unknown as Kysely<never>;
  if (name === 'postgres') {
    const given = JSON.stringify(rows);
    await sql`insert into ${sql.table(table)}
      select * from json_populate_recordset(null::${sql.table(table)}, ${given}::json)`.execute(whole);
    return;
  }
  const columns = Object.keys(rows[0] ?? {});
  const listed = columns.map((column) => `"${column}"`).join(', ');
  const text = `insert into "${table}" (${listed}) values (${columns.map(() => '?').join(', ')})`;
  for (const row of rows)
    await whole.executeQuery(
      CompiledQuery.raw(
        text,
        columns.map((column) => row[column]),
      ),
    );
}
