import { type Kysely, sql } from 'kysely';
import { withParameters } from '../platform/server-list.ts';
import { type Database, openDatabase } from './database.ts';
import type { StoreLocation } from './snapshot.ts';

/** A store that is filled beside the one in use and takes its location at once, or not at all. */
export interface StagedStore {
  readonly db: Database;
  /** Closes the connection; with PostgreSQL the tables change places, the older ones move to schema `aside`. */
  activate(aside: string): Promise<void>;
  /** Closes the connection; what was filled stays. */
  close(): Promise<void>;
  /** Closes the connection and, with PostgreSQL, removes what was filled. */
  discard(): Promise<void>;
}

/**
 * Returns the schema in which the tables of a restore are filled. The transaction that puts them in place renames it:
 * the second name proves later that it was committed.
 */
const stagedSchemaName = (id: string): string => `restore_${id}`;
const committedSchemaName = (id: string): string => `restored_${id}`;

/** State of the tables of a restore: still in their schema, in place, or of another database. */
type StagedState = 'staged' | 'taken' | 'unknown';

/** Returns the state; waits for a transaction that is still running after its answer was lost. */
export async function stagedState(location: StoreLocation, id: string): Promise<StagedState> {
  return withDatabase(location, (db) =>
    db.transaction().execute(async (tx) => {
      await lockRestore(tx, id);
      const { rows } = await sql<{ name: string }>`select nspname as name from pg_namespace
        where nspname in (${stagedSchemaName(id)}, ${committedSchemaName(id)})`.execute(tx);
      const names = rows.map(({ name }) => name);
      if (names.includes(committedSchemaName(id))) return 'taken';
      return names.includes(stagedSchemaName(id)) ? 'staged' : 'unknown';
    }),
  );
}

/** Removes the tables of a restore that did not take place, or the name that says that it did. */
export async function dropStaged(location: StoreLocation, id: string): Promise<void> {
  await withDatabase(location, async (db) => {
    await sql`drop schema if exists ${sql.id(stagedSchemaName(id))} cascade`.execute(db);
    await sql`drop schema if exists ${sql.id(committedSchemaName(id))} restrict`.execute(db);
  });
}

/** Returns true when the database has a schema of this name. */
export async function hasSchema(location: StoreLocation, name: string): Promise<boolean> {
  return withDatabase(location, async (db) => {
    const { rows } = await sql`select 1 from pg_namespace where nspname = ${name}`.execute(db);
    return rows.length > 0;
  });
}

/** Makes the schema; what is written to the store of the answer goes there. */
export async function stageSchema(location: StoreLocation, url: string, id: string): Promise<StagedStore> {
  const name = stagedSchemaName(id);
  await withDatabase(location, (outer) => sql`create schema ${sql.id(name)}`.execute(outer));
  const staged = { ...location, postgresUrl: withSearchPath(url, name) };
  const db = openDatabase(staged, { hasNoQueryTimeout: true });
  return {
    db,
    async activate(aside) {
      await db.close();
      await withDatabase(location, (outer) => exchange(outer, { id, aside }));
    },
    close: () => db.close(),
    async discard() {
      await db.close();
      await dropStaged(location, id);
    },
  };
}

/** Indexes and constraints follow their tables, so names never collide; one transaction makes it all or nothing. */
async function exchange(db: Kysely<never>, { id, aside }: { id: string; aside: string }): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockRestore(tx, id);
    const { rows } = await sql<{ name: string }>`select current_schema() as name`.execute(tx);
    const present = sql.id(rows[0]?.name ?? 'public');
    const older = await tablesOf(tx, rows[0]?.name ?? 'public');
    if (older.length > 0) await moveAside(tx, older, aside);
    for (const table of await tablesOf(tx, stagedSchemaName(id)))
      await sql`alter table ${sql.id(stagedSchemaName(id), table)} set schema ${present}`.execute(tx);
    await sql`alter schema ${sql.id(stagedSchemaName(id))} rename to ${sql.id(committedSchemaName(id))}`.execute(
      tx,
    );
  });
}

async function moveAside(tx: Kysely<never>, tables: readonly string[], aside: string): Promise<void> {
  await sql`create schema ${sql.id(aside)}`.execute(tx);
  for (const table of tables)
    await sql`alter table ${sql.table(table)} set schema ${sql.id(aside)}`.execute(tx);
}

/** Moves the tables of a PostgreSQL database to a new schema, in one transaction. */
export async function setTablesAside(location: StoreLocation, aside: string): Promise<void> {
  await withDatabase(location, (db) =>
    db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ name: string }>`select current_schema() as name`.execute(tx);
      await moveAside(tx, await tablesOf(tx, rows[0]?.name ?? 'public'), aside);
    }),
  );
}

/** Until the end of the transaction. */
async function lockRestore(tx: Kysely<never>, id: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${id}, 0))`.execute(tx);
}

async function tablesOf(db: Kysely<never>, schema: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select tablename as name from pg_tables
    where schemaname = ${schema} order by tablename`.execute(db);
  return rows.map(({ name }) => name);
}

async function withDatabase<T>(location: StoreLocation, work: (db: Kysely<never>) => Promise<T>): Promise<T> {
  const db: Database = openDatabase(location, { poolSize: 1 });
  try {
    return await work(db.unrestricted as unknown as Kysely<never>);
  } finally {
    await db.close();
  }
}

function withSearchPath(url: string, schema: string): string {
  return withParameters(url, (parameters) => {
    const options = parameters.get('options');
    parameters.set('options', `${options ? `${options} ` : ''}-c search_path=${schema}`);
  });
}
