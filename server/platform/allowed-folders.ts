import { readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { z } from 'zod';
import { ALLOWED_FOLDERS_FILE } from '../../shared/data-folder.ts';
import { errorCode } from './errors.ts';

/** Default location for the file or folder of a setting, beside the allowed folders. */
export interface PathUse {
  readonly kind: 'file' | 'folder';
  /** The folder of the data folder that a relative path is in. */
  readonly own: string;
}

/** An absolute path that may be used, or a sentence that says why it may not and what to do. */
export type AllowedPath = { readonly path: string } | { readonly problem: string };

/** Checks the files and folders that settings may name, whichever person may change settings. */
export interface AllowedFolders {
  /** Asks the disk each time, since links change. `name` is the setting's. */
  check(name: string, given: string, use: PathUse): AllowedPath;
}

const Chosen = z.array(z.string());

/**
 * A relative path lies in a folder of its own within the data folder. Any other must really lie, links resolved, below a folder
 * that the start options name or that was chosen in the desktop's own dialog, and never among the data folder's own files.
 */
export function createAllowedFolders(parts: {
  dataFolder: string;
  startFolders: readonly string[];
}): AllowedFolders {
  const { dataFolder, startFolders } = parts;
  const allowed = () => [...startFolders, ...chosenFolders(join(dataFolder, ALLOWED_FOLDERS_FILE))];
  return {
    check(name, given, use) {
      const path = isAbsolute(given) ? resolve(given) : ownPath(dataFolder, given, use);
      try {
        if (mayBeUsed(path, use, { dataFolder, allowed: allowed() })) return { path };
      } catch (error) {
        if (errorCode(error) === '') throw error;
      }
      return { problem: problemOf(name, use) };
    },
  };
}

function problemOf(name: string, { own }: PathUse): string {
  return `${name} is not inside a folder that Faxdesk is allowed to use. Choose the folder in the desktop application, add it to FAXDESK_FOLDERS when you start Faxdesk, or enter a relative path inside “${own}” of the data folder.`;
}

/** `faxes.log` and `audit/faxes.log` are the same file of `<data>/audit`. */
function ownPath(dataFolder: string, given: string, { own }: PathUse): string {
  const ownFolder = join(dataFolder, own);
  const whole = resolve(dataFolder, given);
  return isBelow(ownFolder, whole) || whole === ownFolder ? whole : resolve(ownFolder, given);
}

function mayBeUsed(
  path: string,
  { own, kind }: PathUse,
  { dataFolder, allowed }: { dataFolder: string; allowed: readonly string[] },
): boolean {
  const real = realPathOf(path);
  const realData = realPathOf(dataFolder);
  const fits = (folder: string) => isBelow(folder, real) || (kind === 'folder' && real === folder);
  if (fits(join(realData, own))) return true;
  // Also where the data folder itself lies below an allowed one.
  if (real === realData || isBelow(realData, real)) return false;
  return allowed.some((folder) => fits(realPathOf(folder)));
}

/** With links resolved, as far as it exists. */
function realPathOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' || dirname(path) === path) throw error;
    return join(realPathOf(dirname(path)), basename(path));
  }
}

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !/^\.\.[/\\]/u.test(way) && !isAbsolute(way);
}

/** None where nothing was chosen yet; a damaged file allows nothing. */
function chosenFolders(file: string): readonly string[] {
  try {
    return Chosen.parse(JSON.parse(readFileSync(file, 'utf8'))).filter((folder) => isAbsolute(folder));
  } catch {
    return [];
  }
}
