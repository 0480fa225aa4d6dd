import type { Seal } from './seal.ts';

/**
 * Fixed word that is stored sealed: whether a key opens it shows whether it is the key of the store, before anything is
 * used.
 */
const PROOF_TEXT = 'the data key of this store';
const CONTEXT = 'data_key_proof';

/** Makes a proof of the key of this seal, to be kept in the store. */
export function makeKeyProof(seal: Seal): string {
  return seal.seal(PROOF_TEXT, CONTEXT);
}

/** Returns true when the key of this seal is the one that the proof was made with. */
export function opensKeyProof(seal: Pick<Seal, 'open'>, proof: string): boolean {
  try {
    return seal.open(proof, CONTEXT) === PROOF_TEXT;
  } catch {
    return false;
  }
}
