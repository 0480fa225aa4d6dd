import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../server/db/database.ts';
import { migrate } from '../../server/db/migrator.ts';
import type { TestPostgres } from './postgres.ts';

// A migration takes about a second of PostgreSQL: it runs once in a test run, and stores are copies of its result.

/** Environment variable of the workers: the path of that SQLite file, for programs that Vitest does not run as well. */
export const SQLITE_TEMPLATE = 'FAXDESK_TEST_SQLITE_TEMPLATE';

/** Creates a SQLite file with this release's tables, in a temporary folder that `remove` deletes. */
export async function migrateSqliteTemplate(): Promise<{ sqliteFile: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'faxdesk-template-'));
  const sqliteFile = join(folder, 'faxdesk.sqlite');
  await migrateStore({ postgresUrl: null, sqliteFile });
  return { sqliteFile, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Creates a database with this release's tables. Returns its name. */
export async function migratePostgresTemplate(server: TestPostgres): Promise<string> {
  const postgresUrl = await server.createDatabase();
  await migrateStore({ postgresUrl, sqliteFile: '' });
  return new URL(postgresUrl).pathname.slice(1);
}

/** Closing the database checkpoints its write-ahead log, so that the file alone is the whole store. */
async function migrateStore(where: Parameters<typeof openDatabase>[0]): Promise<void> {
  const db = openDatabase(where);
  await migrate(db.unrestricted as never);
  await db.close();
}
