import type { Kysely, Transaction } from 'kysely';
import type { Tables } from './schema/tables.ts';

type Run = (tx: Transaction<Tables>) => Promise<unknown>;

interface Member {
  readonly run: Run;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** So many fit into one commit before it takes noticeably longer than one alone. */
const MAX_MEMBERS = 32;

/**
 * Commits transactions of one connection together that were requested at about the same time: the flush of the log is
 * the expensive part, and one serves them all. None resolves before the common commit. When one of them fails, nothing
 * of the group is kept and each runs again in a commit of its own, so it takes nothing else with it; a savepoint for
 * each would cost all of them what only the few that fail need.
 */
export function createCommitGroup(kysely: Kysely<Tables>): CommitGroup {
  return new CommitGroup(kysely);
}

export type { CommitGroup };

class CommitGroup {
  readonly #kysely: Kysely<Tables>;
  readonly #waiting: Member[] = [];
  #draining = false;

  constructor(kysely: Kysely<Tables>) {
    this.#kysely = kysely;
  }

  /**
   * Resolves after the commit. Rejects with the error of `run`, or with that of the commit for all of the group. `run` may
   * be called twice: it must have no effect but its queries.
   */
  join<T>(run: (tx: Transaction<Tables>) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ run, resolve: (value) => resolve(value as T), reject });
      if (this.#draining) return;
      this.#draining = true;
      // Transactions that arrive in this turn of the event loop join the group.
      setImmediate(() => void this.#drain());
    });
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#commit(this.#waiting.splice(0, MAX_MEMBERS));
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.#draining = false;
  }

  async #commit(members: readonly Member[]): Promise<void> {
    const failures: unknown[] = [];
    try {
      const values = await this.#kysely.transaction().execute((tx) => runAll(tx, members, failures));
      for (const [index, member] of members.entries()) member.resolve(values[index]);
    } catch (error) {
      if (members.length > 1 && failures.length > 0)
        for (const member of members) await this.#commit([member]);
      else for (const member of members) member.reject(error);
    }
  }
}

/** The values of all; the first failure ends it and is added to `failures`. */
async function runAll(
  tx: Transaction<Tables>,
  members: readonly Member[],
  failures: unknown[],
): Promise<unknown[]> {
  const values: unknown[] = [];
  for (const { run } of members) {
    try {
      values.push(await run(tx));
    } catch (error) {
      failures.push(error);
      throw error;
    }
  }
  return values;
}
