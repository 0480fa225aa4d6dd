import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { errorCode } from './errors.ts';

/** Nobody but the owner of the process may enter. */
const OWNER_FOLDER = 0o700;

/**
 * Makes a folder and its missing parents, for its owner alone unless `mode` is given. Returns the topmost folder that
 * was made, or null when all existed. Throws the error of the system, such as `EACCES`, and `ENOTDIR` where a file is
 * in the way.
 *
 * Node's own recursive `mkdir` never ends, with a core busy, where a file system answers that a folder does not exist
 * although the one above it does (`/proc`, some network drives).
 */
export async function makeFolder(path: string, mode = OWNER_FOLDER): Promise<string | null> {
  const folder = resolve(path);
  const missing: string[] = [];
  for (let next = folder; !(await isFolder(next)); next = dirname(next)) {
    missing.unshift(next);
    if (dirname(next) === next) break;
  }
  for (const each of missing) await makeOne(each, mode);
  return missing[0] ?? null;
}

/** Makes a folder for its owner alone, and its missing parents. Returns false where there is an entry of that name already, also a link. */
export async function makeNewFolder(path: string): Promise<boolean> {
  await makeFolder(dirname(path));
  try {
    await mkdir(path, { mode: OWNER_FOLDER });
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    if ((await stat(path)).isDirectory()) return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
  throw Object.assign(new Error(`${path} is a file, not a folder`), { code: 'ENOTDIR' });
}

/** Another process may have made it meanwhile. */
async function makeOne(path: string, mode: number): Promise<void> {
  try {
    await mkdir(path, { mode });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST' || !(await isFolder(path))) throw error;
  }
}
