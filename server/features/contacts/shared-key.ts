import { type ScryptOptions, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import type { Seal } from '../../platform/seal.ts';
import type { ContactRow } from './types.ts';

/** Columns of a contact that hold its shared key. */
export type KeyColumns = Pick<ContactRow, 'shared_key' | 'shared_key_fingerprint'>;

export const NO_KEY: KeyColumns = { shared_key: null, shared_key_fingerprint: null };

const derive = promisify<string, string, number, ScryptOptions, Buffer>(scrypt);
/** The cost of the key of encrypted pages, so that the fingerprint is no easier to guess the key from than a page. */
const COST = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
const FINGERPRINT_BYTES = 4;

/** Returns the columns of a contact for a key as it was typed; null removes it. */
export async function keyColumns(
  { seal }: { readonly seal: Seal },
  contactId: string,
  key: string | null,
): Promise<KeyColumns> {
  if (key === null) return NO_KEY;
  return {
    shared_key: seal.seal(key, contextOf(contactId)),
    shared_key_fingerprint: await fingerprintOf(key),
  };
}

/** Opens the shared key of a contact; null for none. Throws SealError for one that another data key sealed. */
export function openSharedKey(
  { seal }: { readonly seal: Seal },
  { id, shared_key }: Pick<ContactRow, 'id' | 'shared_key'>,
): string | null {
  return shared_key === null ? null : seal.open(shared_key, contextOf(id));
}

const contextOf = (contactId: string) => `contact:${contactId}`;

/** Returns eight hex digits in two groups, the same for the same key in every installation. */
async function fingerprintOf(key: string): Promise<string> {
  const digest = await derive(key, 'fxe1 shared key fingerprint', FINGERPRINT_BYTES, COST);
  return digest.toString('hex').replace(/^(.{4})/u, '$1 ');
}
