import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { flushFolder } from '../platform/durable-file.ts';
import { errorCode } from '../platform/errors.ts';
import { KEY_NAMES } from './manifest.ts';

/** What belongs to an installation by the names it has in its data folder; logs and `.env` are the computer's. */
export const STORE_FILE = 'faxdesk.sqlite';
export const FILES_FOLDER = 'files';
const KEY_PARTS = new Set(KEY_NAMES.map((name) => name.split('/')[0] ?? name));
const PARTS = [STORE_FILE, `${STORE_FILE}-wal`, `${STORE_FILE}-shm`, FILES_FOLDER, ...KEY_PARTS];

/** The names of an installation that are there. */
export async function partsIn(folder: string): Promise<string[]> {
  const names = new Set(await readdir(folder).catch(emptyWhenMissing));
  const found = PARTS.filter((name) => names.has(name));
  const isBare = found.every((name) => name === FILES_FOLDER);
  const files = isBare ? await readdir(join(folder, FILES_FOLDER)).catch(emptyWhenMissing) : [];
  return isBare && files.length === 0 ? [] : found;
}

/** Moves the parts of one folder to another. When one cannot be moved, those moved already go back. */
export async function moveParts(from: string, to: string): Promise<void> {
  const names = new Set(await readdir(from));
  const moved: string[] = [];
  try {
    for (const name of PARTS.filter((part) => names.has(part))) {
      await rename(join(from, name), join(to, name));
      moved.push(name);
    }
  } catch (error) {
    for (const name of moved.reverse()) await rename(join(to, name), join(from, name));
    throw error;
  }
  await flushFolder(to);
  await flushFolder(from);
}

export async function removeFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
}

function emptyWhenMissing(error: unknown): string[] {
  if (errorCode(error) === 'ENOENT') return [];
  throw error;
}
