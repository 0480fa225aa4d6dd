import type { Database } from '../../db/database.ts';
import { type Clock, isoTime } from '../../platform/clock.ts';
import { makeKeyProof } from '../../platform/key-proof.ts';
import type { Seal } from '../../platform/seal.ts';
import { insertKeyProof, replaceKeyProof } from './store.ts';

export { keyProof as storedKeyProof } from './store.ts';

/** Stores a proof of this key: the first one stays, unless it is the one to replace. */
export async function storeKeyProof(
  db: Database,
  seal: Seal,
  { clock, replacing }: { clock: Clock; replacing: string | null },
): Promise<void> {
  const kept = { proof: makeKeyProof(seal), made_at: isoTime(clock.now()) };
  await db.transaction((tx) =>
    replacing === null ? insertKeyProof(tx, kept) : replaceKeyProof(tx, kept, replacing),
  );
}
