import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { type Database, openDatabase } from '../../server/db/database.ts';
import { createPostgresDatabase, dropPostgresDatabase } from './postgres.ts';

/** Store with the tables of this release and no rows. */
export interface TestStore {
  readonly name: 'sqlite' | 'postgres';
  readonly db: Database;
  /** Opens a further connection to the same data, as another process would. */
  connectAgain(): Database;
  close(): Promise<void>;
}

/** Suffix for the titles of tests that are skipped without PostgreSQL; empty with it. */
export const withoutPostgres =
  inject('postgresUrl') === null ? ` (skipped: ${inject('postgresUnavailable')})` : '';

export const postgresUrl = inject('postgresUrl');
/** Databases that every store test runs on; PostgreSQL only where there is a server. */
export const STORES = postgresUrl === null ? (['sqlite'] as const) : (['sqlite', 'postgres'] as const);

/** Creates a PostgreSQL database that has this release's tables and no rows. Returns its URL. */
export const newPostgresDatabase = (): Promise<string> =>
  createPostgresDatabase(postgresUrl ?? '', inject('postgresTemplate'));

export async function openStore(name: 'sqlite' | 'postgres'): Promise<TestStore> {
  const folder = await mkdtemp(join(tmpdir(), 'faxdesk-store-'));
  const database = name === 'postgres' ? await newPostgresDatabase() : null;
  const where = { postgresUrl: database, sqliteFile: join(folder, 'faxdesk.sqlite') };
  if (database === null) await copyFile(inject('sqliteTemplate'), where.sqliteFile);
  const opened = [openDatabase(where)];
  const [db] = opened as [Database];
  return {
    name,
    db,
    connectAgain() {
      const other = openDatabase(where);
      opened.push(other);
      return other;
    },
    async close() {
      await Promise.all(opened.map((each) => each.close()));
      if (database !== null) await dropPostgresDatabase(database);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
