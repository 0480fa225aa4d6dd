import { createPublicKey, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';

/** Name of the file beside the built application with the public keys of its makers, as `npm run pack` writes it. */
export const UPDATE_KEYS_FILE = 'update-keys.json';

/** Public keys in PEM. */
const UpdateKeys = z.array(z.string()).min(1);

/**
 * Reads the public keys that entries of new versions must be signed with. Returns none for an application that was packed without a
 * key, and null when the file is damaged: an application with keys never does without them.
 */
export async function readUpdateKeys(path: string): Promise<KeyObject[] | null> {
  try {
    const texts = UpdateKeys.parse(JSON.parse(await readFile(path, 'utf8')));
    return texts.map((pem) => createPublicKey(pem));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? [] : null;
  }
}
