import type { Database, ReadDb, WriteTx } from '../../db/database.ts';
import { type Clock, isoTime } from '../../platform/clock.ts';
import { makeKeyProof } from '../../platform/key-proof.ts';
import { joinedProofs } from '../../platform/key-state.ts';
import type { Seal } from '../../platform/seal.ts';
import { insertKeyProof, type KeyRow, keyRow, updateKeyRow } from './store.ts';

export { type KeyRow, keyRow as storedKeyRow, updateKeyRow } from './store.ts';

/** Returns the proofs that the data keys of this store open, as in a backup; null before the first start. */
export async function storedKeyProof(db: ReadDb): Promise<string | null> {
  const row = await keyRow(db);
  return row && joinedProofs(row);
}

/** Stores a proof of this key: the first one stays, unless it is the one to replace. */
export async function storeKeyProof(
  db: Database,
  seal: Seal,
  { clock, replacing }: { clock: Clock; replacing: string | null },
): Promise<void> {
  const kept = { proof: makeKeyProof(seal), made_at: isoTime(clock.now()) };
  const none = { next_proof: null, hash_secret: null, replacement: null };
  await db.transaction(async (tx) => {
    if (replacing === null) await insertKeyProof(tx, kept);
    else await updateKeyRow(tx, replacing, { ...kept, ...none });
  });
}

/**
 * Puts the next data key in place of the former one, with the transaction. `madeAt` is the beginning of the replacement, ISO 8601
 * UTC. False when no replacement is under way.
 */
export async function settleNextKey(tx: WriteTx, madeAt: string): Promise<boolean> {
  const row: KeyRow | null = await keyRow(tx);
  if (row === null || row.next_proof === null) return false;
  const settled = { proof: row.next_proof, made_at: madeAt, next_proof: null, replacement: null };
  return updateKeyRow(tx, row.proof, settled);
}
