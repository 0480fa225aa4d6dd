import {
  type DatabaseConnection,
  type LimitNode,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
  SqliteQueryCompiler,
  type SqliteStatement,
  ValueNode,
} from 'kysely';
import type { SqliteConnection } from './sqlite-file.ts';

/** The gateway has some hundred different statements; lists of ids of different lengths make more. */
const MAX_STATEMENTS = 500;

/** Creates the dialect. `onError` is called with the error of every failed query. */
export function sqliteDialect(
  connection: SqliteConnection,
  onError: (error: unknown) => void = () => undefined,
): SqliteDialect {
  const database = cacheStatements(connection);
  const dialect = new SqliteDialect({ database });
  dialect.createDriver = () => new Driver(connection, { database }, onError);
  dialect.createQueryCompiler = () => new QueryCompiler();
  return dialect;
}

/** Keeps statements prepared: compiling one takes longer than running most of them. */
function cacheStatements(connection: SqliteConnection): {
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
      if (!plain || prepared.size >= MAX_STATEMENTS) prepared.clear();
      if (plain) prepared.set(sql, statement);
      return statement;
    },
    close: () => connection.close(),
  };
}

/**
 * Writes parameters so that their values have no influence on the plan: SQLite would compile a prepared statement again at
 * each run (docs/decisions/0020-parameters-with-a-sign.md). A condition of a partial index must be a literal in the query.
 */
class QueryCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return '+?';
  }
  protected override visitLimit(node: LimitNode): void {
    if (!ValueNode.is(node.limit) || !Number.isSafeInteger(node.limit.value)) return super.visitLimit(node);
    this.append('limit ');
    this.appendImmediateValue(node.limit.value);
  }
}

/** SQLite ends a transaction itself when the disk is full; a second ROLLBACK would hide that error behind its own. */
class Driver extends SqliteDriver {
  readonly #connection: SqliteConnection;
  readonly #onError: (error: unknown) => void;
  readonly #watched = new WeakSet<DatabaseConnection>();
  constructor(connection: SqliteConnection, config: SqliteDialectConfig, onError: (error: unknown) => void) {
    super(config);
    this.#connection = connection;
    this.#onError = onError;
  }
  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection();
    if (this.#watched.has(connection)) return connection;
    this.#watched.add(connection);
    const execute = connection.executeQuery.bind(connection);
    connection.executeQuery = (...query) =>
      execute<never>(...query).catch((error: unknown) => {
        this.#onError(error);
        throw error;
      });
    return connection;
  }
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#connection.inTransaction) await super.rollbackTransaction(connection);
  }
}
