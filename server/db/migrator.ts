import { type Kysely, sql } from 'kysely';
import { migrations } from './migrations/index.ts';
import type { Migration } from './migrations/migration.ts';

/** Thrown when the store was written by a newer release: starting would lose data that this one cannot read. */
export class NewerStoreError extends Error {
  override name = 'NewerStoreError';
}

/** Brings the store to this release's shape, each step in a transaction of its own. Returns the steps that ran. */
export async function migrate(
  db: Kysely<never>,
  steps: readonly Migration[] = migrations,
): Promise<string[]> {
  const bare = db as unknown as Kysely<{ migration: { name: string } }>;
  await bare.schema
    .createTable('migration')
    .ifNotExists()
    .addColumn('name', 'text', (column) => column.primaryKey())
    .execute();
  const done = new Set((await bare.selectFrom('migration').select('name').execute()).map((row) => row.name));
  assertNotNewer(done, steps);
  const ran: string[] = [];
  for (const step of steps) {
    if (done.has(step.name)) continue;
    await bare.transaction().execute(async (tx) => {
      // The name goes in first, so that two processes that migrate at once collide here and not half-way.
      await tx.insertInto('migration').values({ name: step.name }).execute();
      await step.up(tx as unknown as Kysely<unknown>);
    });
    ran.push(step.name);
  }
  return ran;
}

/** Throws NewerStoreError when a store has applied migrations that this release does not have. */
export function assertNotNewer(done: ReadonlySet<string>, steps: readonly Migration[] = migrations): void {
  const known = new Set(steps.map((step) => step.name));
  const unknown = [...done].filter((name) => !known.has(name));
  if (unknown.length > 0)
    throw new NewerStoreError(
      `The data was written by a newer release (${unknown.join(', ')}). Install that release or restore a backup.`,
    );
}

/** Returns true when a store was made by an earlier release and lacks migrations of this one. */
export function awaitsMigration(done: readonly string[]): boolean {
  return done.length > 0 && migrations.some(({ name }) => !done.includes(name));
}

/** Waits until no other gateway migrates the PostgreSQL database; others wait until the one connection of `db` is closed. */
export async function lockMigration(db: Kysely<never>): Promise<void> {
  await sql`select pg_advisory_lock(hashtextextended(current_schema() || ' migration', 0))`.execute(db);
}

/** Deletes nothing and checks nothing: only whether the store answers. */
export async function ping(db: Kysely<never>): Promise<void> {
  await sql`select 1`.execute(db);
}
