import BetterSqlite, { type Database as SqliteConnection } from 'better-sqlite3';
import {
  type DatabaseConnection,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
  type SqliteStatement,
} from 'kysely';

/** How long a statement waits for another process (a backup, a command) that holds the file. Milliseconds. */
const BUSY_TIMEOUT_MS = 5000;
/** The gateway has some hundred different statements; lists of ids of different lengths make more. */
const MOST_STATEMENTS = 500;

/** Opens the embedded database: write-ahead log, every commit flushed, foreign keys held. */
export function openSqlite(file: string, options: { readonly?: boolean } = {}): SqliteConnection {
  const connection = new BetterSqlite(file, { readonly: options.readonly ?? false });
  connection.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  if (!options.readonly) {
    connection.pragma('journal_mode = WAL');
    connection.pragma('synchronous = FULL');
  }
  connection.pragma('foreign_keys = ON');
  // SQLite's own knows ASCII only; PostgreSQL's knows every letter.
  connection.function('lower', { deterministic: true }, (text) =>
    typeof text === 'string' ? text.toLowerCase() : text,
  );
  return connection;
}

export function sqliteDialect(connection: SqliteConnection): SqliteDialect {
  const database = keepingStatements(connection);
  const dialect = new SqliteDialect({ database });
  dialect.createDriver = () => new Driver(connection, { database });
  return dialect;
}

/** Keeps statements prepared: compiling one takes longer than running most of them. */
function keepingStatements(connection: SqliteConnection): {
  prepare(sql: string): SqliteStatement;
  close(): void;
} {
  const prepared = new Map<string, SqliteStatement>();
  return {
    prepare(sql) {
      const known = prepared.get(sql);
      if (known) return known;
      const statement = connection.prepare(sql) as unknown as SqliteStatement;
      // Anything else changes tables, and what was prepared before may give other columns now.
      const plain = /^(?:select|with|insert|update|delete|begin|commit|rollback|savepoint|release)\b/iu.test(
        sql,
      );
      if (!plain || prepared.size >= MOST_STATEMENTS) prepared.clear();
      if (plain) prepared.set(sql, statement);
      return statement;
    },
    close: () => connection.close(),
  };
}

/** SQLite ends a transaction itself when the disk is full; a second ROLLBACK would hide that error behind its own. */
class Driver extends SqliteDriver {
  readonly #connection: SqliteConnection;
  constructor(connection: SqliteConnection, config: SqliteDialectConfig) {
    super(config);
    this.#connection = connection;
  }
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#connection.inTransaction) await super.rollbackTransaction(connection);
  }
}

/**
 * Takes a lock that the operating system gives back when the process ends, however it ends: an exclusive transaction on
 * an otherwise empty database file. Null when another process holds it.
 */
export function lockFile(file: string): { release(): void } | null {
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
