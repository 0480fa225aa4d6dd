import { lstat, open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryNameFor, whileWriting } from '../platform/durable-file.ts';
import { errorCode } from '../platform/errors.ts';
import { makeFolder } from '../platform/make-folder.ts';
import { BootError } from './boot.ts';

/** Folders and files that a gateway writes to from its start on. Missing folders are made in the data folder. */
const FOLDERS = ['.', 'files', 'work', 'logs'];
const FILES = ['gateway.lock', 'faxdesk.sqlite', 'faxdesk.sqlite-wal', 'faxdesk.sqlite-shm'];

/**
 * Makes the data folder when it is missing, and tries whether its folders and the files of the database can be written to: a
 * gateway that finds that out later has taken faxes by then. Throws BootError, which names the folder or file.
 */
export async function assertWritable(dataFolder: string): Promise<void> {
  await makeFolder(dataFolder).catch((error: unknown) => refuse(dataFolder, error));
  for (const name of FOLDERS) {
    const folder = join(dataFolder, name);
    if (name === '.' || (await exists(folder)))
      await tryFolder(folder).catch((error) => refuse(folder, error));
  }
  for (const name of FILES) {
    const file = join(dataFolder, name);
    if (await exists(file)) await tryFile(file).catch((error) => refuse(file, error));
  }
}

/**
 * Returns one sentence that names the first folder that a running gateway can no longer write to; null while it can
 * write to all of them.
 */
export async function writingProblem(dataFolder: string): Promise<string | null> {
  const found = await Promise.all(
    FOLDERS.map(async (name) => {
      const folder = join(dataFolder, name);
      // A gateway whose log goes elsewhere has no folder for it.
      if (name === 'logs' && !(await exists(folder))) return null;
      return tryFolder(folder).then(
        () => null,
        (error: unknown) => problemOf(folder, errorCode(error)),
      );
    }),
  );
  return found.find((problem) => problem !== null) ?? null;
}

function problemOf(path: string, code: string): string {
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      return `Faxdesk cannot write to ${path}. Give the account that runs it permission to write there.`;
    case 'EROFS':
      return `Faxdesk cannot write to ${path}: that disk is read-only. Make it writable.`;
    case 'EIO':
      return `The disk of ${path} reports errors. Check it.`;
    case 'ENOSPC':
      return `The disk of ${path} is full. Free up space.`;
    case 'EDQUOT':
      return `The account that runs Faxdesk has used all its space on the disk of ${path}. Free up space, or raise its quota.`;
    case 'ENOENT':
    case 'ENOTDIR':
      return `Faxdesk cannot write to ${path}: that folder does not exist. Check that its disk is connected.`;
    default:
      return `The disk of ${path} is not responding correctly.`;
  }
}

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null)) !== null;
}

/** Also that there is room for a byte: a full disk may still take a name. */
async function tryFolder(folder: string): Promise<void> {
  const trial = join(folder, 'trial');
  const path = temporaryNameFor(trial);
  await whileWriting(trial, async () => {
    try {
      await writeFile(path, '-', { flag: 'wx', mode: 0o600 });
    } catch (error) {
      await rm(path, { force: true }).catch(() => undefined);
      throw error;
    }
    await rm(path);
  });
}

async function tryFile(file: string): Promise<void> {
  await (await open(file, 'r+')).close();
}

function refuse(path: string, cause: unknown): void {
  const sentence = sentenceOf(path, errorCode(cause));
  if (sentence !== null) throw new BootError(sentence, { cause });
}

/** Null for what the start itself finds out and explains, such as a full disk. */
function sentenceOf(path: string, code: string): string | null {
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      return `Faxdesk cannot write to ${path}. Give the account that runs it permission to write there, then start it again.`;
    case 'EROFS':
      return `Faxdesk cannot write to ${path}: that disk is read-only. Make it writable, then start Faxdesk again.`;
    case 'ENOTDIR':
      return `Faxdesk needs a folder at ${path}, but there is a file. Move it away, then start Faxdesk again.`;
    case 'EISDIR':
      return `Faxdesk needs a file at ${path}, but there is a folder. Move it away, then start Faxdesk again.`;
    case 'ENOENT':
      return `Faxdesk cannot write to ${path}: it leads to a folder that does not exist. Check that its disk is connected.`;
    case 'EIO':
      return `The disk of ${path} reports errors. Check it, then start Faxdesk again.`;
    default:
      return null;
  }
}
