import type { ReadDb, WriteTx } from '../../../db/database.ts';
import { prepareQuery } from '../../../db/prepared-query.ts';

interface Policy {
  version: number;
  revision: number;
}

const ROW = 1;

const policyRow = prepareQuery((db: ReadDb) =>
  db.selectFrom('policy').select(['version', 'revision']).where('id', '=', ROW),
);

/** The present policy; zeros before the first start. */
export async function readPolicy(db: ReadDb): Promise<Policy> {
  const [row] = await policyRow(db, {});
  return row ?? { version: 0, revision: 0 };
}

export async function insertPolicyOnce(tx: WriteTx): Promise<void> {
  await tx
    .insertInto('policy')
    .values({ id: ROW, version: 1, revision: 1 })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

/** Moves the policy on and holds its row, so that access changes come one after another. The new version. */
export async function bumpPolicy(tx: WriteTx): Promise<number> {
  const row = await tx
    .updateTable('policy')
    .set((eb) => ({ version: eb('version', '+', 1), revision: eb('revision', '+', 1) }))
    .where('id', '=', ROW)
    .returning('version')
    .executeTakeFirstOrThrow();
  return row.version;
}

/** Notifies every process that a session ended, without making any caller's policy version stale. */
export async function bumpRevision(tx: WriteTx): Promise<void> {
  await tx
    .updateTable('policy')
    .set((eb) => ({ revision: eb('revision', '+', 1) }))
    .where('id', '=', ROW)
    .execute();
}
