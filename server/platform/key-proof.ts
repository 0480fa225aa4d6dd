import type { Seal } from './seal.ts';

/**
 * Fixed text that is stored sealed. A key that opens it is the key of the store; this is checked before the key is used
 * for anything else.
 */
const PROOF_TEXT = 'the data key of this store';
const CONTEXT = 'data_key_proof';

/** Creates a proof of the key of this seal, which is kept in the store. */
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
