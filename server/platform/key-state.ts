import { createHash } from 'node:crypto';
import { areDataKeys } from './data-keys.ts';
import { opensKeyProof } from './key-proof.ts';
import { createSeal } from './seal.ts';

/**
 * State of the data key in a backup: it opens what is sealed in its store, there is none, or it is another one. A store
 * without a proof of its key has nothing sealed.
 */
export type KeyState = 'whole' | 'missing' | 'other';

/** Table in which the store keeps the proof of its data key. */
export const KEY_PROOF_TABLE = 'data_key_proof';

/** Returns the proofs in a row of that table as one text: two while the data key is replaced. */
export function joinedProofs({ proof, next_proof }: { proof?: unknown; next_proof?: unknown }): string {
  return [proof, next_proof].filter((proof) => typeof proof === 'string').join(' ');
}

/** `proof` is of `joinedProofs`. `file` is the content of `data.key`, null without one. */
export function keyStateOf(file: Uint8Array | null, proof: string | null): KeyState {
  if (proof === null) return 'whole';
  if (file === null) return 'missing';
  const key = parseKey(file);
  if (key === null) return 'other';
  const seal = createSeal(key);
  return proof.split(' ').every((each) => opensKeyProof(seal, each)) ? 'whole' : 'other';
}

/** Tells two data keys apart without showing them; null without a key. */
export function keyDigest(file: Uint8Array | null): string | null {
  const text = file === null ? '' : Buffer.from(file).toString('latin1').trim();
  return text === '' ? null : createHash('sha256').update(text).digest('hex');
}

function parseKey(file: Uint8Array): Uint8Array | null {
  const key = Buffer.from(Buffer.from(file).toString('latin1').trim(), 'base64');
  return areDataKeys(key) ? key : null;
}

const UNTIL = 'Nothing is sent or received until the right key is back and Faxdesk is started again.';

/**
 * Sentences about the key of an installation that is not whole. Everybody may ask whether the gateway is ready, so they
 * have no path.
 */
export const KEY_PROBLEMS: Readonly<Record<Exclude<KeyState, 'whole'>, string>> = {
  missing: `The data key of this installation is missing: data.key in its data folder. ${UNTIL}`,
  other: `The data key is not the one that this installation's secrets were encrypted with. ${UNTIL}`,
};

const UNREADABLE_WITHOUT_KEY =
  'this encrypted data cannot be opened: accounts of providers and mail servers, second factors, the root certificate of HTTPS, and documents where they are encrypted';

/** Returns the sentence for a person about a backup without the right key; null for a whole one. */
export function keySentence(state: KeyState): string | null {
  switch (state) {
    case 'whole':
      return null;
    case 'missing':
      return `The data key (data.key) is not in this backup. Without it ${UNREADABLE_WITHOUT_KEY}.`;
    case 'other':
      return `The data key in this backup is not the one of its database. Without the right one ${UNREADABLE_WITHOUT_KEY}.`;
  }
}
