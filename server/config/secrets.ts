import { randomBytes } from 'node:crypto';
import { chmod, link, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { SEALED_KEY_MARK } from '../../shared/data-folder.ts';
import { areDataKeys, DATA_KEY_BYTES } from '../platform/data-keys.ts';
import { flushFolder, temporaryNameFor, writeDurably } from '../platform/durable-file.ts';
import { errorCode } from '../platform/errors.ts';
import { randomToken } from '../platform/ids.ts';
import type { Logger } from '../platform/logger.ts';
import { isLoopbackHost } from '../platform/public-address.ts';
import { isShortKey, SHORT_KEY } from '../platform/short-key.ts';
import { BootError, type BootOptions } from './boot.ts';

export const KEY_FILES = { installation: 'installation.key', data: 'data.key' } as const;

/** File with the keys of direct delivery in the data folder, unless the environment names another. */
export const DIRECT_KEY_FILE = '.direct-identity.key';

const OWNER_ONLY = 0o600;
const INSTALLATION_KEY_BITS = 256;

/**
 * The installation key: the environment's, else the one of `<data>/installation.key`, made when it is missing. Null in
 * open mode only, which {@link openModeRefusal} allows: calls of this computer without a credential are let in.
 */
export async function installationKey(
  parts: Pick<BootOptions, 'apiKey' | 'requireApiKey' | 'host' | 'dataFolder'> & {
    hasOwner: boolean;
    logger: Logger;
  },
): Promise<string | null> {
  if (!parts.requireApiKey) {
    const refusal = await openModeRefusal(parts);
    if (refusal === null) return null;
    parts.logger.warn({ refusal }, 'REQUIRE_API_KEY=false is not followed');
  }
  if (parts.apiKey !== null) return warnIfShort(parts.apiKey, parts.logger);
  const path = join(parts.dataFolder, KEY_FILES.installation);
  const key = await readOrCreate(path, () => randomToken(INSTALLATION_KEY_BITS), parts.logger);
  if (/^[!-~]{1,512}$/u.test(key)) return warnIfShort(key, parts.logger);
  throw new BootError(`The installation key in ${path} is not usable; delete the file to get a new key.`);
}

function warnIfShort(key: string, logger: Logger): string {
  if (isShortKey(key)) logger.warn({}, SHORT_KEY);
  return key;
}

/**
 * Returns the reason why requests without a credential are refused although the environment allows them; null
 * otherwise.
 */
async function openModeRefusal(
  parts: Pick<BootOptions, 'apiKey' | 'host' | 'dataFolder'> & { hasOwner: boolean; logger: Logger },
): Promise<string | null> {
  if (parts.apiKey !== null) return 'API_KEY is set.';
  if (!isLoopbackHost(parts.host)) return `HOST is ${parts.host}, which other computers can reach.`;
  if (parts.hasOwner) return 'this installation has an owner.';
  const path = join(parts.dataFolder, KEY_FILES.installation);
  if ((await readKeyFile(path, parts.logger)) !== null) return `there is an installation key in ${path}.`;
  return null;
}

/**
 * The 32 bytes that seal secrets at rest, followed by those of the former key while it is replaced: given (the desktop app takes them from the keychain), else those of
 * `<data>/data.key`. A missing file is made when it may be, else the answer is null. Throws {@link BootError} when the file
 * is damaged: a new key would make every stored secret unreadable.
 */
export async function dataKey(parts: {
  configured: Uint8Array | null;
  dataFolder: string;
  mayMake: boolean;
  logger: Logger;
}): Promise<Uint8Array | null> {
  if (parts.configured && areDataKeys(parts.configured)) return parts.configured;
  if (parts.configured) throw new BootError('The data key must be 32 bytes.');
  const path = join(parts.dataFolder, KEY_FILES.data);
  const make = () => randomBytes(DATA_KEY_BYTES).toString('base64');
  const text = parts.mayMake
    ? await readOrCreate(path, make, parts.logger)
    : await readKeyFile(path, parts.logger);
  if (text === null) return null;
  if (text.startsWith(SEALED_KEY_MARK))
    throw new BootError(
      `The data key of ${parts.dataFolder} is sealed in the keychain of the desktop application; start that one.`,
    );
  const key = Buffer.from(text, 'base64');
  if (areDataKeys(key)) return key;
  throw new BootError(`The data key in ${path} is damaged; restore that file from a backup.`);
}

/** The data key without making one; null where there is none, or where only the keychain has it. */
export async function existingDataKey(parts: {
  configured: Uint8Array | null;
  dataFolder: string;
}): Promise<Uint8Array | null> {
  if (parts.configured) return parts.configured;
  const text = await readFile(join(parts.dataFolder, KEY_FILES.data), 'utf8').catch(() => '');
  const key = Buffer.from(text.trim(), 'base64');
  return !text.startsWith(SEALED_KEY_MARK) && areDataKeys(key) ? key : null;
}

/** Replaces the data key in the data folder durably: by one, or by two while it is replaced, the one that seals first. */
export async function writeDataKeys(dataFolder: string, keys: Uint8Array): Promise<void> {
  const text = Buffer.from(keys).toString('base64');
  await writeDurably(join(dataFolder, KEY_FILES.data), `${text}\n`, OWNER_ONLY);
}

async function readOrCreate(path: string, make: () => string, logger: Logger): Promise<string> {
  const found = await readKeyFile(path, logger);
  if (found !== null) return found;
  await writeOnce(path, `${make()}\n`);
  logger.info({ file: basename(path) }, 'a key file was made');
  return (await readKeyFile(path, logger)) ?? '';
}

async function readKeyFile(path: string, logger: Logger): Promise<string | null> {
  try {
    await closeToOthers(path, logger);
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Refusing to start would not un-read the file; closing it and saying so is what helps. */
async function closeToOthers(path: string, logger: Logger): Promise<void> {
  if (process.platform === 'win32') return;
  const mode = (await stat(path)).mode & 0o777;
  if ((mode & 0o077) === 0) return;
  await chmod(path, OWNER_ONLY);
  logger.warn(
    { file: basename(path), mode: mode.toString(8) },
    'a key file was open to other accounts of this computer and was closed; replace the key if they are not trusted',
  );
}

/** Two processes that start at once on one folder must end with one key: the first name wins, the second is dropped. */
async function writeOnce(path: string, text: string): Promise<void> {
  const draft = temporaryNameFor(path);
  await writeDurably(draft, text, OWNER_ONLY);
  try {
    await link(draft, path);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return;
    // A file system without hard links.
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
  await flushFolder(dirname(path));
}
