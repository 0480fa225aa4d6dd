import type { Database } from '../../db/database.ts';
import { type Clock, isoTime } from '../../platform/clock.ts';
import type { Seal } from '../../platform/seal.ts';
import { insertKeyProof, replaceKeyProof } from './store.ts';

/** A known word, sealed: whether a key opens it shows whether it is the key of the store, before anything is used. */
const WORD = 'the data key of this store';
const CONTEXT = 'data_key_proof';

export { keyProof as storedKeyProof } from './store.ts';

export function opensKeyProof(seal: Seal, proof: string): boolean {
  try {
    return seal.open(proof, CONTEXT) === WORD;
  } catch {
    return false;
  }
}

/** Leaves a proof of this key: the first one stays, unless it is the one that is to be replaced. */
export async function keepKeyProof(
  db: Database,
  seal: Seal,
  { clock, replacing }: { clock: Clock; replacing: string | null },
): Promise<void> {
  const kept = { proof: seal.seal(WORD, CONTEXT), made_at: isoTime(clock.now()) };
  await db.transaction((tx) =>
    replacing === null ? insertKeyProof(tx, kept) : replaceKeyProof(tx, kept, replacing),
  );
}
