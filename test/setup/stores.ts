import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { type Database, openDatabase } from '../../server/db/database.ts';
import { createPostgresDatabase, dropPostgresDatabase } from './postgres.ts';

/** An empty store with this release's tables. */
export interface TestStore {
  readonly name: 'sqlite' | 'postgres';
  readonly db: Database;
  /** A second connection to the same data, as another process has it. */
  again(): Database;
  close(): Promise<void>;
}

/** For the names of what is skipped without it. */
export const withoutPostgres =
  inject('postgresUrl') === null ? ` (skipped: ${inject('postgresUnavailable')})` : '';

export const postgresUrl = inject('postgresUrl');
/** The databases every store test runs on: PostgreSQL only where there is a server. */
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
    again() {
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
