import { type DatabaseConnection, type Driver, PostgresDialect, PostgresDriver } from 'kysely';
import pg from 'pg';
import { CONNECTIONS_IN_USE, connectionTroubleOf } from '../platform/connection-trouble.ts';
import { errorCode } from '../platform/errors.ts';
import { type CurrentServer, currentServer } from '../platform/server-list.ts';
import { type ConnectionUse, createConnectionUse } from './connection-use.ts';

const INT8 = 20;
/** Maximum time of a query, kept by the server and here, since a frozen server does not report a timeout. */
const QUERY_MS = 15_000;
/**
 * Maximum pause within a transaction, kept by the server: a process that is frozen there would keep its locks, and no other gateway
 * could take its work. Shorter than a query, so that one that waits for such a lock gets it.
 */
const PAUSE_MS = 12_000;
/** Maximum wait for a connection, also while all are in use. */
const CONNECT_MS = 10_000;
/** Maximum wait for the answer of a database all of whose connections are in use. */
const PROBE_MS = 1_000;
/** Maximum wait for a connection when another server can be tried. */
const CONNECT_ONE_OF_SEVERAL_MS = 3_000;
/** Lifetime of a connection: a server that only reads since a fail-over, and answers, is left after it. */
const CONNECTION_SECONDS = 60;

/**
 * Thrown when the database cannot be reached or does not answer. Whether pending statements were executed is uncertain,
 * as after any lost answer.
 */
export class DatabaseAwayError extends Error {
  override name = 'DatabaseAwayError';
  readonly code = DATABASE_AWAY;
}

/** Thrown when a connection was made to a server that only reads. */
class ReadOnlyServerError extends Error {
  override name = 'ReadOnlyServerError';
}

/** Cause of a query that waited in vain for a connection, while the database answers those that have one. */
class ConnectionsInUseError extends Error {
  override name = 'ConnectionsInUseError';
  readonly code = CONNECTIONS_IN_USE;
}

export const DATABASE_AWAY = 'DATABASE_AWAY';

export interface PostgresOptions {
  poolSize?: number;
  /** Seconds after which a connection is replaced, once it is free; a minute when left out. */
  connectionSeconds?: number;
  /** For work at the start that may take long: a query may run as long as it needs. */
  hasNoQueryTimeout?: boolean;
  /** For a reading of everything, which locks nothing: a backup waits for its disk within a transaction. */
  mayPause?: boolean;
  /** Called with the error of each query that fails. */
  onError?: (error: unknown) => void;
  /** Counts the connections in use. */
  use?: ConnectionUse;
}

/**
 * PostgreSQL through a pool. 64-bit integers come back as numbers: ours stay far below 2^53. Connections that break, at
 * rest or at work, end no process: what they were working for fails with `DatabaseAwayError`, and the next use opens others.
 */
export function postgresDialect(url: string, options: PostgresOptions = {}): PostgresDialect {
  const types = {
    getTypeParser: (oid: number, format?: 'text' | 'binary') =>
      oid === INT8 ? Number : pg.types.getTypeParser(oid, format),
  };
  const server = currentServer(url);
  const config = {
    connectionString: server.address,
    max: options.poolSize ?? 10,
    types: types,
    keepAlive: true,
    connectionTimeoutMillis: server.count > 1 ? CONNECT_ONE_OF_SEVERAL_MS : CONNECT_MS,
    ...(server.count > 1 ? { verify: assertWritable } : {}),
    // A migration locks the database by its connection.
    maxLifetimeSeconds: options.hasNoQueryTimeout ? 0 : (options.connectionSeconds ?? CONNECTION_SECONDS),
    ...(options.hasNoQueryTimeout
      ? {}
      : {
          query_timeout: QUERY_MS,
          statement_timeout: QUERY_MS,
          ...(options.mayPause ? {} : { idle_in_transaction_session_timeout: PAUSE_MS }),
        }),
  };
  const pool = new pg.Pool(config);
  // Without a listener a broken connection would end the process. The pool replaces it.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  const { onError = () => undefined, use = createConnectionUse() } = options;
  use.watch({ max: config.max, answers: () => answers(server.address) });
  return new WatchedDialect({ pool, server, use, onError });
}

/** Returns true when a connection can be opened. */
async function answers(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: PROBE_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch (error) {
    return connectionTroubleOf(error) === 'refused';
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Checks a new connection where there are several servers, of which the others only read. */
function assertWritable(client: pg.ClientBase, done: (error?: Error) => void): void {
  const text = 'select pg_is_in_recovery() or current_setting($1)::boolean as reads';
  client.query(text, ['transaction_read_only'], (error: Error | null, result?: pg.QueryResult) => {
    const reads = result?.rows[0]?.reads === true;
    done(error ?? (reads ? new ReadOnlyServerError('the server only reads') : undefined));
  });
}

interface WatchedConfig {
  readonly pool: pg.Pool;
  readonly server: CurrentServer;
  readonly use: ConnectionUse;
  readonly onError: (error: unknown) => void;
}

class WatchedDialect extends PostgresDialect {
  readonly #config: WatchedConfig;
  constructor(config: WatchedConfig) {
    super(config);
    this.#config = config;
  }
  override createDriver(): Driver {
    return new WatchedDriver(this.#config);
  }
}

/** Distinguishes a failed query from a database that is away. */
class WatchedDriver extends PostgresDriver {
  readonly #watched = new WeakSet<DatabaseConnection>();
  readonly #config: WatchedConfig;

  constructor(config: WatchedConfig) {
    super(config);
    this.#config = config;
  }

  override async acquireConnection(
    ...given: Parameters<PostgresDriver['acquireConnection']>
  ): Promise<DatabaseConnection> {
    const { use } = this.#config;
    const connection = await this.#connect(...given).catch(async (error: unknown) =>
      throwTranslated(WAITED.test(errorText(error)) && (await use.isFull()) ? inUse(error) : error),
    );
    use.acquired();
    if (this.#watched.has(connection)) return connection;
    this.#watched.add(connection);
    const execute = connection.executeQuery.bind(connection);
    connection.executeQuery = (...query) =>
      execute<never>(...query).catch((error: unknown) => {
        this.#config.onError(error);
        return throwTranslated(error);
      });
    return connection;
  }

  override async releaseConnection(...given: Parameters<PostgresDriver['releaseConnection']>): Promise<void> {
    this.#config.use.released();
    await super.releaseConnection(...given);
  }

  /** Tries the servers in turn, beginning with that of the last connection. */
  async #connect(...given: Parameters<PostgresDriver['acquireConnection']>): Promise<DatabaseConnection> {
    const { pool, server } = this.#config;
    for (let left = server.count; ; left -= 1) {
      const { address } = server;
      pool.options.connectionString = address;
      try {
        return await super.acquireConnection(...given);
      } catch (error) {
        // The one that accepts changes accepts no more connections: the others only read.
        const isFull = pool.totalCount >= pool.options.max || connectionTroubleOf(error) !== null;
        if (left <= 1 || isFull || !isDatabaseAway(error)) throw error;
        server.leave(address);
      }
    }
  }
}

function throwTranslated(error: unknown): never {
  if (isDatabaseAway(error)) throw new DatabaseAwayError('the database does not answer', { cause: error });
  throw error;
}

/**
 * Codes of the network, and of PostgreSQL when it stops, starts, is full of connections, canceled a query, ended a connection that
 * paused in a transaction, or no longer admits the user.
 */
const AWAY_CODES =
  /^(?:25P03|28000|28P01|3D000|ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|08\w{3}|57P0[123]|53300|57014)$/u;
/** Errors of the driver that have no code. */
const AWAY_MESSAGES =
  /Connection terminated|Query read timeout|timeout exceeded when trying to connect|not queryable|closed the connection/u;

/** Error of the pool when no connection became free. */
const WAITED = /timeout exceeded when trying to connect/u;

const errorText = (error: unknown) => (error instanceof Error ? error.message : '');

const inUse = (cause: unknown) =>
  new ConnectionsInUseError('all connections to the database are in use', { cause });

function isDatabaseAway(error: unknown): boolean {
  if (error instanceof ReadOnlyServerError || error instanceof ConnectionsInUseError) return true;
  if (!(error instanceof Error)) return false;
  const code = errorCode(error);
  return code === '' ? AWAY_MESSAGES.test(error.message) : AWAY_CODES.test(code);
}
