import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';

/** Empties the log of a store, so that the next commit needs new room: what the log has taken already is used again. */
export function emptyLog(dataFolder: string): void {
  const store = new BetterSqlite(join(dataFolder, 'faxdesk.sqlite'));
  store.pragma('wal_checkpoint(TRUNCATE)');
  store.close();
}
