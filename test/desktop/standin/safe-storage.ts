import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as Electron from 'electron';
import { app } from './app.ts';
import { settings } from './settings.ts';

const NONCE = 12;
const TAG = 16;

type Covered =
  | 'decryptStringAsync'
  | 'encryptStringAsync'
  | 'getSelectedStorageBackend'
  | 'isAsyncEncryptionAvailable';

/** A keychain that outlives the application, in a file beside its data. */
export const safeStorage: Pick<Electron.SafeStorage, Covered> = {
  getSelectedStorageBackend: () =>
    settings.keyring === 'basic_text' ? 'basic_text' : app.isReady() ? 'gnome_libsecret' : 'unknown',
  isAsyncEncryptionAvailable: async () => app.isReady() && settings.keyring !== 'locked',
  encryptStringAsync: async (text) => {
    const nonce = randomBytes(NONCE);
    const cipher = createCipheriv('aes-256-gcm', key(), nonce);
    return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  },
  decryptStringAsync: async (sealed) => {
    const decipher = createDecipheriv('aes-256-gcm', key(), sealed.subarray(0, NONCE));
    decipher.setAuthTag(sealed.subarray(-TAG));
    const result = decipher.update(sealed.subarray(NONCE, -TAG), undefined, 'utf8') + decipher.final('utf8');
    return { result, shouldReEncrypt: false };
  },
};

function key(): Buffer {
  if (settings.keyring === 'locked') throw new Error('the keyring is locked');
  const file = join(settings.appData, 'standin-keychain');
  if (!existsSync(file)) writeFileSync(file, randomBytes(32), { mode: 0o600 });
  return readFileSync(file);
}
