import { readdir, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DIRECT_KEY_FILE } from '../config/secrets.ts';
import { flushFolder } from '../platform/durable-file.ts';
import { errorCode } from '../platform/errors.ts';
import { makeFolder } from '../platform/make-folder.ts';
import type { KeyName } from './manifest.ts';

/** Parts of an installation, by their names in its data folder; logs and `.env` belong to the computer. */
export const STORE_FILE = 'faxdesk.sqlite';
export const FILES_FOLDER = 'files';
const KEY_PATHS: Readonly<Record<KeyName, string>> = {
  'data.key': 'data.key',
  'installation.key': 'installation.key',
  'https/root.sealed': 'https',
};
export const PARTS: readonly string[] = [
  STORE_FILE,
  `${STORE_FILE}-wal`,
  `${STORE_FILE}-shm`,
  FILES_FOLDER,
  ...Object.values(KEY_PATHS),
  // A copy of what the store has sealed.
  DIRECT_KEY_FILE,
];

/** The names of an installation that are there. */
export async function partsIn(folder: string): Promise<string[]> {
  const names = new Set(await listNames(folder));
  const found = PARTS.filter((name) => names.has(name));
  const isBare = found.every((name) => name === FILES_FOLDER);
  const files = isBare ? await listNames(join(folder, FILES_FOLDER)) : [];
  return isBare && files.length === 0 ? [] : found;
}

/** Plan for replacing one installation by another in a data folder. Names are those of folders in it. */
export interface FolderExchange {
  readonly staging: string;
  /** Null when no installation was there. */
  readonly aside: string | null;
  /** The parts that wait in `staging`, or did. */
  readonly incoming: readonly string[];
}

/**
 * Moves the older installation aside and the new one in. It may have been begun before and may be broken off anywhere: done
 * again, it goes on. What is in the folder is the older one as long as all of the new one waits.
 */
export async function applyExchange(dataFolder: string, exchange: FolderExchange): Promise<void> {
  const { staging, aside, incoming } = exchange;
  const waiting = await listWaiting(dataFolder, exchange);
  if (waiting.length === incoming.length && aside !== null) {
    await makeAsideFolder(dataFolder, aside);
    await moveParts(dataFolder, '.', aside, PARTS);
  }
  // An empty folder of files is no installation; it is removed because some systems rename no folder onto another.
  if (aside === null && waiting.includes(FILES_FOLDER)) await removeIfEmpty(join(dataFolder, FILES_FOLDER));
  await moveParts(dataFolder, staging, '.', waiting);
}

/**
 * Moves the new installation back and the older one in, from wherever `applyExchange` was interrupted; as often as needed. When
 * the staging folder is gone, all of that was done.
 */
export async function undoExchange(dataFolder: string, exchange: FolderExchange): Promise<void> {
  const { staging, aside, incoming } = exchange;
  const waiting = await listWaiting(dataFolder, exchange);
  if (!(await listNames(dataFolder)).includes(staging)) return;
  const taken = incoming.filter((name) => !waiting.includes(name));
  await moveParts(dataFolder, '.', staging, taken);
  if (aside === null) return;
  await moveParts(dataFolder, aside, '.', PARTS);
  await removeIfEmpty(join(dataFolder, aside));
}

async function listWaiting(dataFolder: string, { staging, incoming }: FolderExchange): Promise<string[]> {
  const names = new Set(await listNames(join(dataFolder, staging)));
  return incoming.filter((name) => names.has(name));
}

/** Those of the names that are there, one folder of the data folder to another; flushed before anything else is moved. */
async function moveParts(
  dataFolder: string,
  from: string,
  to: string,
  parts: readonly string[],
): Promise<void> {
  const names = new Set(await listNames(join(dataFolder, from)));
  const moving = parts.filter((name) => names.has(name));
  if (moving.length === 0) return;
  for (const name of moving) await rename(join(dataFolder, from, name), join(dataFolder, to, name));
  await flushFolder(join(dataFolder, to));
  await flushFolder(join(dataFolder, from));
}

/** A folder for what is moved out of the way; it may be there already. */
export async function makeAsideFolder(dataFolder: string, name: string): Promise<void> {
  if ((await makeFolder(join(dataFolder, name))) !== null) await flushFolder(dataFolder);
}

/** Leaves a folder that holds something. */
export async function removeIfEmpty(path: string): Promise<void> {
  try {
    await rmdir(path);
  } catch (error) {
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(errorCode(error))) throw error;
  }
}

export async function removeFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
}

async function listNames(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}
