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
import { createDamageWatch, type DamageWatch } from './damage.ts';
import { type PostgresOptions, postgresDialect } from './postgres.ts';
import type { Tables } from './schema/tables.ts';
import { sqliteDialect } from './sqlite.ts';
import { openSqlite } from './sqlite-file.ts';

/** Database for reading store functions: it cannot write. A transaction fits as well. */
export type ReadDb = Pick<Kysely<Tables>, 'selectFrom' | 'with' | 'fn'>;
/** Transaction, required by writing store functions. */
export type WriteTx = Transaction<Tables>;

const RETRIES = 5;
const RETRY_CODES = new Set(['SQLITE_BUSY', 'SQLITE_BUSY_SNAPSHOT', '40001', '40P01']);

/**
 * The one way to the database. SQLite has one connection behind a mutex, so inside a transaction nothing but queries
 * may be awaited and the outer database must not be touched: both are refused here rather than found as a deadlock.
 */
export class Database {
  readonly capabilities: Capabilities;
  /** Watch of its damage: no transaction begins on a damaged database. */
  readonly damage: DamageWatch;
  readonly #kysely: Kysely<Tables>;
  readonly #group: CommitGroup;
  readonly #open = new AsyncLocalStorage<{ active: boolean }>();
  readonly #companions = new AsyncLocalStorage<Companion | null>();
  readonly #afterCommit = new WeakMap<WriteTx, (() => void)[]>();

  constructor(dialect: Dialect, capabilities: Capabilities, damage = createDamageWatch()) {
    this.damage = damage;
    this.#kysely = new Kysely<Tables>({ dialect });
    this.#group = createCommitGroup(this.#kysely);
    this.capabilities = capabilities;
  }

  /** For reading outside a transaction. */
  get read(): ReadDb {
    this.assertNotTransaction();
    return this.#kysely;
  }

  /** Unrestricted access for the migrator and the backup, which depend on no room. */
  get unrestricted(): Kysely<Tables> {
    this.assertNotTransaction();
    return this.#kysely;
  }

  assertNotTransaction(): void {
    if (this.#open.getStore()?.active) throw new Error('the outer database was used inside a transaction');
  }

  /**
   * Runs `work` in one transaction. The whole of it is repeated when the database asks for that, so it must have no
   * effect but its queries; what must happen after the commit goes through `onCommit`. Throws DatabaseDamagedError.
   */
  async transaction<T>(work: (tx: WriteTx) => Promise<T>): Promise<T> {
    this.assertNotTransaction();
    this.damage.assertNone();
    for (let tried = 1; ; tried += 1) {
      try {
        return await this.#runOnce(work);
      } catch (error) {
        if (tried >= RETRIES || !RETRY_CODES.has(errorCode(error))) throw error;
      }
    }
  }

  /**
   * Runs `work`. The first transaction in it that is committed carries out `companion` before its own queries, so that both
   * are kept or neither; none does after `work` has ended.
   */
  async withCompanion<T>(companion: (tx: WriteTx) => Promise<void>, work: () => Promise<T>): Promise<T> {
    const entry: Companion = { run: companion, state: 'open' };
    try {
      return await this.#companions.run(entry, work);
    } finally {
      entry.state = 'ended';
    }
  }

  /** Runs after the commit and only then. It must not throw. */
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
        // This may be the second run, after another transaction of the same commit failed.
        actions.length = 0;
        scope.active = true;
        const tx = bare.withPlugin(new EndedGuard(scope));
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

  /** A common commit runs in the context of one of its members, whose companion is not for the others. */
  #withoutCompanion<T>(work: () => Promise<T>): Promise<T> {
    return this.#companions.getStore() ? this.#companions.run(null, work) : work();
  }

  /** With one connection, transactions that come together commit together. */
  #execute<T>(run: (tx: WriteTx) => Promise<T>): Promise<T> {
    if (this.capabilities.groupCommit) return this.#group.join(run);
    return this.#kysely.transaction().execute(run);
  }
}

/** Queries that go into the next transaction of some work. `taken` by one that is under way or was committed. */
interface Companion {
  readonly run: (tx: WriteTx) => Promise<void>;
  state: 'open' | 'taken' | 'ended';
}

function takeCompanion(companion: Companion | null | undefined): Companion | null {
  if (companion?.state !== 'open') return null;
  companion.state = 'taken';
  return companion;
}

/** A query that was not awaited must not run on the connection after its transaction ended. */
class EndedGuard implements KyselyPlugin {
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
 * Opens PostgreSQL when an address is given, else the SQLite file, which must be there to be opened `readonly`. Nothing is
 * migrated here. What may take long on PostgreSQL asks for patience.
 */
export function openDatabase(
  where: { postgresUrl: string | null; sqliteFile: string },
  options: { readonly?: boolean } & PostgresOptions = {},
): Database {
  const damage = createDamageWatch();
  const onError = (error: unknown) => damage.observeError(error);
  if (where.postgresUrl) {
    const dialect = postgresDialect(where.postgresUrl, { ...options, onError });
    return new Database(dialect, POSTGRES, damage);
  }
  return new Database(sqliteDialect(openSqlite(where.sqliteFile, options), onError), SQLITE, damage);
}

const UNIQUE_CODES = new Set(['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY', '23505']);

/** Returns true for an error because a row with this key exists already. */
export function isUniqueViolation(error: unknown): boolean {
  return UNIQUE_CODES.has(errorCode(error));
}
