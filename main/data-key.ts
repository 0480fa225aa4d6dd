import { randomBytes } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { safeStorage } from 'electron';
import { isBetweenInstallations, SEALED_KEY_MARK } from '../shared/data-folder.ts';
import { readOwnerFile, writeOwnerFile } from './owner-file.ts';

const KEY_BYTES = 32;

/** The data key cannot be had. The message is a sentence for a person. */
class DataKeyError extends Error {
  override name = 'DataKeyError';
}

/**
 * The 32 bytes that seal the gateway's secrets, kept in `<data>/data.key`, sealed with the keychain of the operating
 * system. A plain key, left by a gateway without a window or by a restored backup, is taken over and sealed. Null where
 * there is no keychain worth the name: then the gateway keeps the key in that file itself, readable by its owner only. Null as well
 * where a restore was interrupted: the key that lies there may be another installation's, and a new one must not be made. And null
 * for a missing key beside a store: whether that may be made anew is the gateway's to say.
 */
export async function readDataKey(dataFolder: string): Promise<Uint8Array | null> {
  if (isBetweenInstallations(await readdir(dataFolder).catch(() => []))) return null;
  const path = join(dataFolder, 'data.key');
  const kept = (await readOwnerFile(path))?.trim() ?? null;
  if (kept?.startsWith(SEALED_KEY_MARK)) return unseal(path, kept.slice(SEALED_KEY_MARK.length));
  if (!(await hasKeychain())) return null;
  if (kept === null && (await stat(join(dataFolder, 'faxdesk.sqlite')).catch(() => null)) !== null)
    return null;
  const key = kept === null ? randomBytes(KEY_BYTES) : Buffer.from(kept, 'base64');
  // A damaged key is the gateway's to explain.
  if (!isDataKey(key)) return null;
  await seal(path, key);
  return key;
}

/** A backup made while the data key was replaced has both keys, one after the other. */
const isDataKey = (key: Buffer) => key.length === KEY_BYTES || key.length === 2 * KEY_BYTES;

/** On Linux without a keyring, Chromium would encrypt with a password that is the same everywhere. */
async function hasKeychain(): Promise<boolean> {
  if (process.platform === 'linux' && safeStorage.getSelectedStorageBackend() === 'basic_text') return false;
  return safeStorage.isAsyncEncryptionAvailable().catch(() => false);
}

async function unseal(path: string, sealed: string): Promise<Uint8Array> {
  try {
    const { result, shouldReEncrypt } = await safeStorage.decryptStringAsync(Buffer.from(sealed, 'base64'));
    const key = Buffer.from(result, 'base64');
    if (!isDataKey(key)) throw new Error('not a data key');
    if (shouldReEncrypt) await seal(path, key);
    return key;
  } catch {
    throw new DataKeyError(
      'The keychain on this computer did not release the key that opens the stored passwords. Nothing was changed. Unlock the keychain and try again, or restore a backup.',
    );
  }
}

/** The plain key is given up only when the sealed one was read back. */
async function seal(path: string, key: Buffer): Promise<void> {
  const text = key.toString('base64');
  const sealed = await safeStorage.encryptStringAsync(text);
  const { result } = await safeStorage.decryptStringAsync(sealed);
  if (result !== text) throw new DataKeyError('The keychain on this computer did not save the data key.');
  await writeOwnerFile(path, `${SEALED_KEY_MARK}${sealed.toString('base64')}\n`);
}
