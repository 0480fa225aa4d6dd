import type { Database, ReadDb, WriteTx } from '../../db/database.ts';
import { assertNotNewer } from '../../db/migrator.ts';
import { allTables, migrationsOf } from '../../db/table-order.ts';
import type { Installation } from './types.ts';

/** Returns true when the store has tables to query. Throws NewerStoreError when a newer release wrote them. */
export async function hasTables({ unrestricted, capabilities }: Database): Promise<boolean> {
  const done = await migrationsOf(unrestricted as never, capabilities);
  assertNotNewer(new Set(done));
  return done.length > 0;
}

/** Null in a store that has not been joined to a storage yet, or was made before there were installations. */
export async function storedInstallation(db: Database): Promise<Installation | null> {
  const tables = await allTables(db.unrestricted as never, db.capabilities);
  return tables.includes('installation') ? findInstallation(db.read) : null;
}

export async function findInstallation(db: ReadDb): Promise<Installation | null> {
  const row = await db
    .selectFrom('installation')
    .select(['id', 'generation', 'replaces', 'bucket'])
    .executeTakeFirst();
  return row ?? null;
}

/** Does nothing when another gateway was first. */
export async function addInstallation(
  tx: WriteTx,
  fresh: Pick<Installation, 'id' | 'replaces'>,
): Promise<void> {
  await tx
    .insertInto('installation')
    .values({ key: 'installation', generation: 0, bucket: null, ...fresh })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute();
}

export async function replaceInstallation(
  tx: WriteTx,
  fresh: Pick<Installation, 'id' | 'replaces'>,
): Promise<void> {
  await tx.deleteFrom('installation').execute();
  await addInstallation(tx, fresh);
}

/**
 * Raises the generation, and notes the bucket in which documents are. False when it is no longer what was seen: another
 * gateway raised it meanwhile.
 */
export async function raiseGeneration(
  tx: WriteTx,
  { seen, to, bucket }: { seen: Installation; to: number; bucket: string | null },
): Promise<boolean> {
  const [result] = await tx
    .updateTable('installation')
    .set({ generation: to, bucket })
    .where('id', '=', seen.id)
    .where('generation', '=', seen.generation)
    .execute();
  return (result?.numUpdatedRows ?? 0n) > 0n;
}
