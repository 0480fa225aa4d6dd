import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Dialect,
  Kysely,
  type KyselyPlugin,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type Transaction,
} from 'kysely';
import { errorCode } from '../platform/errors.ts';
import { type Capabilities, POSTGRES, SQLITE } from './capabilities.ts';
import { type CommitGroup, createCommitGroup } from './commit-group.ts';
import { type ConnectionUse, createConnectionUse } from './connection-use.ts';
import { createDamageWatch, type DamageWatch } from './damage.ts';
import { type PostgresOptions, postgresDialect } from './postgres.ts';
import type { Tables } from './schema/tables.ts';
import { sqliteDialect } from './sqlite.ts';
import { openSqlite } from './sqlite-file.ts';

export type { SharedTime } from './shared-time.ts';

/** Database as functions that only read receive it. A transaction can be passed as well. */
export type ReadDb = Pick<Kysely<Tables>, 'selectFrom' | 'with' | 'fn'>;
/** Transaction, which every function that writes requires. */
export type WriteTx = Transaction<Tables>;

/** Maximum number of runs of a transaction that conflicts with others. */
const MAX_RUNS = 5;
const RETRY_CODES = new Set(['SQLITE_BUSY', 'SQLITE_BUSY_SNAPSHOT', '40001', '40P01']);

/**
 * Access to the database for all rooms. SQLite has one connection behind a mutex, so a transaction may await nothing but its
 * own queries: a use of the outer database in it would be a deadlock, and throws instead.
 */
export class Database {
  readonly capabilities: Capabilities;
  /** Detects damage: no transaction begins on a damaged database. */
  readonly damage: DamageWatch;
  readonly #kysely: Kysely<Tables>;
  readonly #use: ConnectionUse;
  readonly #group: CommitGroup;
  readonly #open = new AsyncLocalStorage<{ active: boolean }>();
  readonly #companions = new AsyncLocalStorage<Companion | null>();
  readonly #afterCommit = new WeakMap<WriteTx, (() => void)[]>();

  constructor(
    dialect: Dialect,
    capabilities: Capabilities,
    watches: { readonly damage?: DamageWatch; readonly use?: ConnectionUse } = {},
  ) {
    this.damage = watches.damage ?? createDamageWatch();
    this.#use = watches.use ?? createConnectionUse();
    this.#kysely = new Kysely<Tables>({ dialect });
    this.#group = createCommitGroup(this.#kysely);
    this.capabilities = capabilities;
  }

  /** Returns the database for reading outside a transaction. Throws inside one. */
  get read(): ReadDb {
    this.assertNotTransaction();
    return this.#kysely;
  }

  /** Returns the whole database, for code outside the rooms such as the migrator and the backup. Throws inside a transaction. */
  get unrestricted(): Kysely<Tables> {
    this.assertNotTransaction();
    return this.#kysely;
  }

  /** Resolves to true while this process uses all the connections that it may have, although the database answers. */
  isOutOfConnections(): Promise<boolean> {
    return this.#use.isFull();
  }

  assertNotTransaction(): void {
    if (this.#open.getStore()?.active) throw new Error('the outer database was used inside a transaction');
  }

  /**
   * Runs `work` in one transaction, again when it conflicts with another one. So it must have no effect but its queries;
   * effects after the commit go through `onCommit`. Throws DatabaseDamagedError.
   */
  async transaction<T>(work: (tx: WriteTx) => Promise<T>): Promise<T> {
    this.assertNotTransaction();
    this.damage.assertNone();
    for (let run = 1; ; run += 1) {
      try {
        return await this.#runOnce(work);
      } catch (error) {
        if (run >= MAX_RUNS || !RETRY_CODES.has(errorCode(error))) throw error;
      }
    }
  }

  /**
   * Runs `work`. The first transaction in it that commits also runs `companion`, before its own queries, so that both are
   * committed or neither. Without such a transaction the companion never runs.
   */
  async withCompanion<T>(companion: (tx: WriteTx) => Promise<void>, work: () => Promise<T>): Promise<T> {
    const entry: Companion = { run: companion, state: 'open' };
    try {
      return await this.#companions.run(entry, work);
    } finally {
      entry.state = 'ended';
    }
  }

  /** Registers an action to run after the commit of the transaction, and never without it. It must not throw. */
  onCommit(tx: WriteTx, action: () => void): void {
    const actions = this.#afterCommit.get(tx);
    if (!actions) throw new Error('onCommit needs the transaction it was given');
    actions.push(action);
  }

  async close(): Promise<void> {
    await this.#kysely.destroy();
  }

  async #runOnce<T>(work: (tx: WriteTx) => Promise<T>): Promise<T> {
    const scope = { active: true };
    const actions: (() => void)[] = [];
    const companion = takeCompanion(this.#companions.getStore());
    const run = companion === null ? work : (tx: WriteTx) => companion.run(tx).then(() => work(tx));
    let isCommitted = false;
    try {
      const result = await this.#execute((bare) => {
        // A second run follows when another transaction of the same commit failed.
        actions.length = 0;
        scope.active = true;
        const tx = bare.withPlugin(new EndedTransactionGuard(scope));
        this.#afterCommit.set(tx, actions);
        return this.#open
          .run(scope, () => this.#withoutCompanion(() => run(tx)))
          .finally(() => {
            scope.active = false;
          });
      });
      isCommitted = true;
      for (const action of actions) action();
      return result;
    } finally {
      scope.active = false;
      if (companion?.state === 'taken' && !isCommitted) companion.state = 'open';
    }
  }

  /** A group commit runs in the async context of one of its members. Clears the companion of that one for the others. */
  #withoutCompanion<T>(work: () => Promise<T>): Promise<T> {
    return this.#companions.getStore() ? this.#companions.run(null, work) : work();
  }

  /** Runs a transaction. With one connection, transactions that arrive together commit together. */
  #execute<T>(run: (tx: WriteTx) => Promise<T>): Promise<T> {
    if (this.capabilities.groupCommit) return this.#group.join(run);
    return this.#kysely.transaction().execute(run);
  }
}

/** Queries for the first transaction of some work. `taken` while one runs with them, and after it committed. */
interface Companion {
  readonly run: (tx: WriteTx) => Promise<void>;
  state: 'open' | 'taken' | 'ended';
}

function takeCompanion(companion: Companion | null | undefined): Companion | null {
  if (companion?.state !== 'open') return null;
  companion.state = 'taken';
  return companion;
}

/** Throws when a query that was not awaited comes after the end of its transaction. */
class EndedTransactionGuard implements KyselyPlugin {
  readonly #scope: { active: boolean };
  constructor(scope: { active: boolean }) {
    this.#scope = scope;
  }
  transformQuery(args: PluginTransformQueryArgs) {
    if (!this.#scope.active) throw new Error('a query was made after its transaction had ended');
    return args.node;
  }
  transformResult(args: PluginTransformResultArgs) {
    return Promise.resolve(args.result);
  }
}

/**
 * Opens PostgreSQL when an address is given, else the SQLite file, which must exist to be opened `readonly`. Migrates
 * nothing. Long work on PostgreSQL needs `hasNoQueryTimeout`.
 */
export function openDatabase(
  where: { postgresUrl: string | null; sqliteFile: string },
  options: { readonly?: boolean } & PostgresOptions = {},
): Database {
  const damage = createDamageWatch();
  const onError = (error: unknown) => damage.observeError(error);
  if (where.postgresUrl) {
    const use = createConnectionUse();
    const dialect = postgresDialect(where.postgresUrl, { ...options, onError, use });
    return new Database(dialect, POSTGRES, { damage, use });
  }
  return new Database(sqliteDialect(openSqlite(where.sqliteFile, options), onError), SQLITE, {
    damage,
  });
}

const UNIQUE_CODES = new Set(['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY', '23505']);

/** Returns true for the error of an insert whose key exists already. */
export function isUniqueViolation(error: unknown): boolean {
  return UNIQUE_CODES.has(errorCode(error));
}
