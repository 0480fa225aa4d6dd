import { setTimeout } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { openDatabase } from './database.ts';
import type { StoredRow, StoreLocation } from './snapshot.ts';
import { type StagedStore, stageSchema } from './staged-schema.ts';
import { allTables } from './table-order.ts';

export type { StagedStore } from './staged-schema.ts';

/** Opens an empty store: the SQLite file at `sqliteFile`, or a schema of the PostgreSQL database that `id` names. */
export async function stageStore(location: StoreLocation, id: string): Promise<StagedStore> {
  if (location.postgresUrl) return stageSchema(location, location.postgresUrl, id);
  const db = openDatabase(location);
  const close = () => db.close();
  return { db, activate: close, close, discard: close };
}

/** Counts the tables and the other users of a PostgreSQL database. */
export async function countUsage(location: StoreLocation): Promise<{ tables: number; users: number }> {
  const db = openDatabase(location);
  try {
    const whole = db.unrestricted as unknown as Kysely<never>;
    const { rows } = await sql<{ users: number }>`select count(*)::int as users from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`.execute(
      whole,
    );
    return { tables: (await allTables(whole, db.capabilities)).length, users: rows[0]?.users ?? 0 };
  } finally {
    await db.close();
  }
}

/** Grace period for clients to leave a database, in ms. */
const DISCONNECT_TIMEOUT_MS = 3_000;
const POLL_MS = 50;

/** As {@link countUsage}, once the others have left: a gateway that has just stopped has closed its connections a moment before the server has. */
export async function settledUsage(location: StoreLocation): Promise<{ tables: number; users: number }> {
  const until = performance.now() + DISCONNECT_TIMEOUT_MS;
  for (;;) {
    const found = await countUsage(location);
    if (found.users === 0 || performance.now() > until) return found;
    await setTimeout(POLL_MS);
  }
}

/** Fills a table in batches that stay below the databases' limits of values in one statement. */
export async function insertRows(tx: unknown, table: string, rows: readonly StoredRow[]): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const size = Math.max(1, Math.floor(MAX_VALUES / Object.keys(first).length));
  for (let start = 0; start < rows.length; start += size)
    await (tx as Kysely<Record<string, StoredRow>>)
      .insertInto(table)
      .values(rows.slice(start, start + size))
      .execute();
}
const MAX_VALUES = 30_000;

/** Removes the rows that a migration inserted by itself. */
export async function emptyTable(tx: unknown, table: string): Promise<void> {
  await (tx as Kysely<Record<string, StoredRow>>).deleteFrom(table).execute();
}
