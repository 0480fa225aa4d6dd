import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SEALED_KEY_MARK } from '../../shared/data-folder.ts';
import { createLocalStorage } from '../adapters/storage/local.ts';
import type { BootOptions } from '../config/boot.ts';
import type { StoreLocation } from '../db/snapshot.ts';
import { eachKey } from '../platform/data-keys.ts';
import { errorCode } from '../platform/errors.ts';
import type { BackupSource } from './create-backup.ts';
import { FILES_FOLDER, STORE_FILE } from './data-folder.ts';
import { BackupError } from './errors.ts';
import { KEY_NAMES, type KeyName } from './manifest.ts';

/** Location of an installation, and the data key where the environment fixes it. */
type Located = Pick<BootOptions, 'dataFolder' | 'databaseUrl' | 'dataKey'>;

export function storeLocationOf({
  databaseUrl,
  dataFolder,
}: Pick<Located, 'databaseUrl' | 'dataFolder'>): StoreLocation {
  return { postgresUrl: databaseUrl, sqliteFile: join(dataFolder, STORE_FILE) };
}

/** Returns the content of a backup of the installation. */
export async function backupSource(boot: Located): Promise<BackupSource> {
  const storage = await createLocalStorage(join(boot.dataFolder, FILES_FOLDER));
  const keys = await keysOf(boot);
  const hasEveryKey = async () => {
    const known = dataKeysIn(keys);
    return dataKeysIn(await keysOf(boot)).every((key) => known.some((one) => one.equals(key)));
  };
  return { store: storeLocationOf(boot), storage, keys, hasEveryKey };
}

function dataKeysIn({ 'data.key': file }: BackupSource['keys']): Buffer[] {
  const bytes = Buffer.from(
    Buffer.from(file ?? [])
      .toString('latin1')
      .trim(),
    'base64',
  );
  return eachKey(bytes).map((key) => Buffer.from(key));
}

/** The key files as they stand; a data key of the environment takes the file's place. */
async function keysOf({ dataFolder, dataKey }: Located): Promise<BackupSource['keys']> {
  const keys: Partial<Record<KeyName, Uint8Array>> = {};
  for (const name of KEY_NAMES) {
    const bytes = await readFile(join(dataFolder, name)).catch(nullWhenMissing);
    if (bytes && !(name === 'data.key' && dataKey)) keys[name] = unsealed(bytes);
  }
  if (dataKey) keys['data.key'] = Buffer.from(`${Buffer.from(dataKey).toString('base64')}\n`);
  return keys;
}

/** A sealed key opens nothing on another computer, so a backup with it could not be restored. */
function unsealed(key: Buffer): Buffer {
  if (!key.toString('latin1').startsWith(SEALED_KEY_MARK)) return key;
  throw new BackupError(
    'The data key is sealed in the keychain of the desktop application; make the backup there, under System.',
  );
}

/** A key that is there and cannot be read must not be left out in silence: the backup could not be opened. */
function nullWhenMissing(error: unknown): null {
  if (errorCode(error) === 'ENOENT') return null;
  throw error;
}
