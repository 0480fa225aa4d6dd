import { type Kysely, sql, type Transaction } from 'kysely';
import type { Tables } from './schema/tables.ts';

type Run = (tx: Transaction<Tables>) => Promise<unknown>;

interface Member {
  readonly run: Run;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

type Outcome = { readonly value: unknown } | { readonly error: unknown };

/** So many fit into one commit before it takes noticeably longer than one alone. */
const MOST_MEMBERS = 32;

/**
 * Transactions of one connection that were asked for at about the same time commit together: the flush of the log is the
 * dear part, and one serves them all. Each stands in a savepoint of its own, so one that fails takes nothing else with
 * it, and none is told of its success before the common commit.
 */
export class CommitGroup {
  readonly #kysely: Kysely<Tables>;
  readonly #waiting: Member[] = [];
  #draining = false;

  constructor(kysely: Kysely<Tables>) {
    this.#kysely = kysely;
  }

  /** Resolves after the commit. Rejects with the error of `run`, or with that of the commit for all of the group. */
  join<T>(run: (tx: Transaction<Tables>) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ run, resolve: (value) => resolve(value as T), reject });
      if (this.#draining) return;
      this.#draining = true;
      // What else arrives in this turn of the event loop joins the group.
      setImmediate(() => void this.#drain());
    });
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#commit(this.#waiting.splice(0, MOST_MEMBERS));
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.#draining = false;
  }

  async #commit(members: readonly Member[]): Promise<void> {
    try {
      const outcomes = await this.#kysely
        .transaction()
        .execute((tx) => (members.length === 1 ? alone(tx, members) : together(tx, members)));
      for (const [index, member] of members.entries()) settle(member, outcomes[index]);
    } catch (error) {
      for (const member of members) member.reject(error);
    }
  }
}

function settle(member: Member, outcome: Outcome | undefined): void {
  if (outcome && 'value' in outcome) member.resolve(outcome.value);
  else member.reject(outcome?.error);
}

/** Nobody to protect: an error ends the transaction itself. */
async function alone(tx: Transaction<Tables>, [member]: readonly Member[]): Promise<Outcome[]> {
  return [{ value: await member?.run(tx) }];
}

async function together(tx: Transaction<Tables>, members: readonly Member[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const member of members) outcomes.push(await inSavepoint(tx, member));
  return outcomes;
}

async function inSavepoint(tx: Transaction<Tables>, { run }: Member): Promise<Outcome> {
  await sql`savepoint member`.execute(tx);
  try {
    const value = await run(tx);
    await sql`release member`.execute(tx);
    return { value };
  } catch (error) {
    try {
      await sql`rollback to member`.execute(tx);
      await sql`release member`.execute(tx);
    } catch {
      // The database gave up the whole transaction, as with a full disk: then nobody's part is kept.
      throw error;
    }
    return { error };
  }
}
