import { closeSync, openSync, rmSync } from 'node:fs';
import BetterSqlite, { type Database as SqliteConnection } from 'better-sqlite3';

export type { SqliteConnection };

/** Timeout of a statement while another process (a backup, a command) holds the file, in ms. */
const BUSY_TIMEOUT_MS = 5000;

/** Opens the embedded database: write-ahead log, every commit flushed, foreign keys held. */
export function openSqlite(file: string, options: { readonly?: boolean } = {}): SqliteConnection {
  const connection = new BetterSqlite(file, { readonly: options.readonly ?? false });
  connection.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  if (!options.readonly) {
    connection.pragma('journal_mode = WAL');
    connection.pragma('synchronous = FULL');
  }
  connection.pragma('foreign_keys = ON');
  // SQLite's own `lower` converts ASCII only; PostgreSQL's converts every letter.
  connection.function('lower', { deterministic: true }, (text) =>
    typeof text === 'string' ? text.toLowerCase() : text,
  );
  return connection;
}

/**
 * Takes a lock that the operating system gives back when the process ends, however it ends: an exclusive transaction on
 * an otherwise empty database file. Null when another process holds it.
 */
export function lockFile(file: string): { release(): void } | null {
  try {
    return acquireLock(file);
  } catch (error) {
    if ((error as { code?: string }).code !== 'SQLITE_NOTADB') throw error;
    // It holds nothing, and nobody holds a lock on what is no database file.
    rmSync(file);
    return acquireLock(file);
  }
}

function acquireLock(file: string): { release(): void } | null {
  // SQLite would create it open to other accounts.
  closeSync(openSync(file, 'a', 0o600));
  const connection = new BetterSqlite(file);
  try {
    connection.pragma('busy_timeout = 0');
    connection.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    connection.close();
    if ((error as { code?: string }).code === 'SQLITE_BUSY') return null;
    throw error;
  }
  return { release: () => connection.close() };
}
