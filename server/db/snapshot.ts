import { type Kysely, sql, type Transaction } from 'kysely';
import type { Capabilities } from './capabilities.ts';
import { type Database, openDatabase } from './database.ts';
import { migrationsOf, tablesInOrder } from './table-order.ts';

/** Location of a store: PostgreSQL when an address is given, else the SQLite file. */
export interface StoreLocation {
  readonly postgresUrl: string | null;
  readonly sqliteFile: string;
}

export type StoredRow = Record<string, unknown>;

/** The store as it was at one moment, whatever is written meanwhile. */
export interface Snapshot {
  readonly database: Capabilities['name'];
  readonly migrations: readonly string[];
  /** Each after those its foreign keys point to. */
  readonly tables: readonly string[];
  /** One table at a time: the snapshot has one connection. */
  rows(table: string): AsyncIterable<StoredRow>;
}

const BATCH = 500;

/**
 * Reads a store through a connection of its own in one read-only transaction. Writers are not held up; SQLite keeps
 * its log until the reading ends. Throws the driver's error when the store is not there.
 */
export async function withSnapshot<T>(
  location: StoreLocation,
  work: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  const db = openForReading(location);
  const { capabilities } = db;
  try {
    const reading = capabilities.name === 'sqlite' ? db.unrestricted.transaction() : snapshotOf(db);
    return await reading.execute(async (tx) => {
      const whole = tx as unknown as Transaction<never>;
      return work({
        database: capabilities.name,
        // The first read fixes the moment.
        migrations: await migrationsOf(whole, capabilities),
        tables: await tablesInOrder(whole, capabilities),
        rows: (table) => (capabilities.name === 'sqlite' ? walk(whole, table) : fetchRows(whole, table)),
      });
    });
  } finally {
    await db.close();
  }
}

/** A connection that cannot write to SQLite. Throws SQLITE_CANTOPEN when there is no file. */
export function openForReading(location: StoreLocation): Database {
  return openDatabase(location, { readonly: true, mayPause: true });
}

function snapshotOf(db: Database) {
  return db.unrestricted.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
}

type AnyTables = Record<string, StoredRow>;

function walk(tx: Transaction<never>, table: string): AsyncIterable<StoredRow> {
  return (tx as unknown as Kysely<AnyTables>).selectFrom(table).selectAll().stream();
}

/** A cursor of the server: a table may be larger than the memory. */
async function* fetchRows(tx: Transaction<never>, table: string): AsyncIterable<StoredRow> {
  await sql`declare snapshot_rows no scroll cursor for select * from ${sql.table(table)}`.execute(tx);
  for (;;) {
    const { rows } = await sql<StoredRow>`fetch forward ${sql.lit(BATCH)} from snapshot_rows`.execute(tx);
    yield* rows;
    if (rows.length < BATCH) break;
  }
  await sql`close snapshot_rows`.execute(tx);
}
