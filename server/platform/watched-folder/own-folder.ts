import { constants } from 'node:fs';
import { access, lstat, readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { makeFolder } from '../make-folder.ts';

/** Makes it where it is missing. Throws where it is no folder of its own, or nothing can be written there. */
export async function ownFolder(folder: string, name: string): Promise<void> {
  const path = join(folder, name);
  await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  await makeFolder(path);
  if (!(await lstat(path)).isDirectory())
    throw Object.assign(new Error(`${name} is a link or a file`), { code: 'ENOTDIR' });
  await access(path, constants.W_OK | constants.X_OK);
}

/** How many documents lie in a folder, by their endings. */
export async function countDocuments(folder: string, endings: readonly string[]): Promise<number> {
  const names = await readdir(folder);
  return names.filter((name) => endings.some((ending) => name.toLowerCase().endsWith(ending))).length;
}

/** Whether `folder` lies within the data folder, where the gateway makes what is missing. */
export function isWithin(dataFolder: string, folder: string): boolean {
  const way = relative(dataFolder, folder);
  return way !== '' && !/^\.\.(?:[/\\]|$)/u.test(way) && !/^(?:[/\\]|[A-Za-z]:)/u.test(way);
}
