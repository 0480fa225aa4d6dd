import { type Kysely, sql } from 'kysely';
import { type Database, openDatabase } from './database.ts';
import type { StoredRow, StoreLocation } from './snapshot.ts';
import { allTables } from './table-order.ts';

/** A store that is filled beside the one in use and takes its location at once, or not at all. */
export interface StagedStore {
  readonly db: Database;
  /** Closes the connection; with PostgreSQL the tables change places, the older ones move to schema `aside`. */
  takePlace(aside: string): Promise<void>;
  /** Closes the connection and, with PostgreSQL, removes what was filled. */
  discard(): Promise<void>;
}

/** Opens an empty store: the SQLite file at `sqliteFile`, or the schema `name` of the PostgreSQL database. */
export async function stageStore(location: StoreLocation, name: string): Promise<StagedStore> {
  if (location.postgresUrl) return stageSchema(location, location.postgresUrl, name);
  const db = openDatabase(location);
  const close = () => db.close();
  return { db, takePlace: close, discard: close };
}

/** How many tables and other users a PostgreSQL database has. */
export async function occupation(location: StoreLocation): Promise<{ tables: number; users: number }> {
  const db = openDatabase(location);
  try {
    const whole = db.whole as unknown as Kysely<never>;
    const { rows } = await sql<{ users: number }>`select count(*)::int as users from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`.execute(
      whole,
    );
    return { tables: (await allTables(whole, db.capabilities)).length, users: rows[0]?.users ?? 0 };
  } finally {
    await db.close();
  }
}

/** Fills a table in batches that stay below the databases' limits of values in one statement. */
export async function insertRows(tx: unknown, table: string, rows: readonly StoredRow[]): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const size = Math.max(1, Math.floor(MOST_VALUES / Object.keys(first).length));
  for (let start = 0; start < rows.length; start += size)
    await (tx as Kysely<Record<string, StoredRow>>)
      .insertInto(table)
      .values(rows.slice(start, start + size))
      .execute();
}
const MOST_VALUES = 30_000;

/** Removes what a migration put in by itself. */
export async function emptyTable(tx: unknown, table: string): Promise<void> {
  await (tx as Kysely<Record<string, StoredRow>>).deleteFrom(table).execute();
}

async function stageSchema(location: StoreLocation, url: string, name: string): Promise<StagedStore> {
  const outer = openDatabase(location);
  const whole = outer.whole as unknown as Kysely<never>;
  await sql`create schema ${sql.id(name)}`.execute(whole);
  const db = openDatabase({ ...location, postgresUrl: withSearchPath(url, name) });
  const end = async (last: () => Promise<void>) => {
    try {
      await db.close();
      await last();
    } finally {
      await outer.close();
    }
  };
  return {
    db,
    takePlace: (aside) => end(() => exchange(outer, { staged: name, aside })),
    discard: () => end(async () => void (await sql`drop schema ${sql.id(name)} cascade`.execute(whole))),
  };
}

/** Indexes and constraints follow their tables, so names never collide; one transaction makes it all or nothing. */
async function exchange(db: Database, names: { staged: string; aside: string }): Promise<void> {
  const { capabilities } = db;
  await db.whole.transaction().execute(async (bare) => {
    const tx = bare as unknown as Kysely<never>;
    const { rows } = await sql<{ name: string }>`select current_schema() as name`.execute(tx);
    const present = sql.id(rows[0]?.name ?? 'public');
    const older = await allTables(tx, capabilities);
    if (older.length > 0) await sql`create schema ${sql.id(names.aside)}`.execute(tx);
    for (const table of older)
      await sql`alter table ${sql.table(table)} set schema ${sql.id(names.aside)}`.execute(tx);
    const staged = await sql<{ name: string }>`select tablename as name from pg_tables
      where schemaname = ${names.staged}`.execute(tx);
    for (const table of staged.rows)
      await sql`alter table ${sql.id(names.staged, table.name)} set schema ${present}`.execute(tx);
    await sql`drop schema ${sql.id(names.staged)}`.execute(tx);
  });
}

function withSearchPath(url: string, schema: string): string {
  const changed = new URL(url);
  const options = changed.searchParams.get('options');
  changed.searchParams.set('options', `${options ? `${options} ` : ''}-c search_path=${schema}`);
  return changed.href;
}
