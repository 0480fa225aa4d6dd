import { constants } from 'node:fs';
import { access, lstat, readdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { flushFolder } from '../durable-file.ts';
import { makeFolder } from '../make-folder.ts';

/** By this hidden file in it an installation marks its send folder as its own; an import folder has none. */
export const SEND_FOLDER_MARK = '.faxdesk-send-folder';

/** Makes it where it is missing. Throws where it is no folder of its own, or nothing can be written there. */
export async function ownFolder(folder: string, name: string): Promise<void> {
  const path = join(folder, name);
  await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  await makeDurableFolder(path);
  if (!(await lstat(path)).isDirectory())
    throw Object.assign(new Error(`${name} is a link or a file`), { code: 'ENOTDIR' });
  await access(path, constants.W_OK | constants.X_OK);
}

/** Makes a folder where it is missing, so that a power failure does not take it away with the files that were moved into it. */
export async function makeDurableFolder(path: string): Promise<void> {
  const made = await makeFolder(path);
  // Some network drives flush no folder.
  if (made !== null) await flushFolder(dirname(made)).catch(() => undefined);
}

/** Counts the documents in a folder, by their endings. */
export async function countDocuments(folder: string, extensions: readonly string[]): Promise<number> {
  const names = await readdir(folder);
  return names.filter((name) => extensions.some((ending) => name.toLowerCase().endsWith(ending))).length;
}

/** Returns true when `folder` is within the data folder, where the gateway makes missing folders. */
export function isWithin(dataFolder: string, folder: string): boolean {
  const way = relative(dataFolder, folder);
  return way !== '' && !/^\.\.(?:[/\\]|$)/u.test(way) && !/^(?:[/\\]|[A-Za-z]:)/u.test(way);
}
