import type { Stats } from 'node:fs';
import { chmod, lstat, readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { errorCode } from '../platform/errors.ts';

const GROUP_AND_OTHERS = 0o077;
const OTHERS = 0o007;
const GROUP = 0o070;
const GROUP_MAY_PASS = 0o010;
const STICKY = 0o1000;
const LINK_REASON = 'it is a link to somewhere else, which is left as it is';

interface Closing {
  readonly root: string;
  readonly closed: string[];
  /** Reason by name. */
  readonly open: Map<string, string>;
}

/**
 * Closes a folder to all accounts but its owner: folders 0700, files 0600. In what is closed already only its folders are
 * looked at, so that a start does not ask for every document; below a folder that was open, everything is.
 */
export async function closeFolder(
  folder: string,
  shared: ReadonlySet<string>,
): Promise<{ closed: string[]; warnings: string[] }> {
  const root = await realpath(folder);
  const closing: Closing = { root, closed: [], open: new Map() };
  const entries = await readdir(root, { withFileTypes: true });
  const sharedModes = await Promise.all(
    entries
      .filter((entry) => entry.isDirectory() && shared.has(entry.name))
      .map(({ name }) => modeOf(root, name)),
  );
  // Whoever shares a folder in it must get there.
  const keep = sharedModes.some((mode) => (mode & GROUP) !== 0) ? GROUP_MAY_PASS : 0;
  const wasOpen = await restrictPath(closing, root, GROUP_AND_OTHERS & ~keep);
  for (const { name } of entries) {
    const path = join(root, name);
    if (shared.has(name)) await restrictPath(closing, path, OTHERS);
    else await closeTree(closing, path, wasOpen);
  }
  // Behind a closed folder nothing can be reached but what lies elsewhere.
  if (((await modeOf(root, '.')) & GROUP_AND_OTHERS) === 0)
    for (const [name, reason] of closing.open) if (reason !== LINK_REASON) closing.open.delete(name);
  return { closed: closing.closed, warnings: warningsOf(folder, closing.open) };
}

async function modeOf(root: string, name: string): Promise<number> {
  return (await lstat(join(root, name))).mode;
}

async function closeTree(closing: Closing, path: string, wasReachable: boolean): Promise<void> {
  const found = await lstat(path).catch(ignoreMissing);
  if (!found) return;
  const isTop = dirname(path) === closing.root;
  if (!found.isDirectory()) {
    if (isTop || wasReachable) await restrictPath(closing, path, GROUP_AND_OTHERS);
    return;
  }
  const isReachable = (await restrictPath(closing, path, GROUP_AND_OTHERS)) || wasReachable;
  if (!isReachable) return;
  for (const name of await readdir(path).catch(() => [])) await closeTree(closing, join(path, name), true);
}

/** Closes one path; returns true when it was open to others. `unwanted` are the mode bits to clear. */
async function restrictPath(closing: Closing, path: string, unwanted: number): Promise<boolean> {
  const found = await lstat(path).catch(ignoreMissing);
  if (!found) return false;
  if (found.isSymbolicLink()) {
    await checkTarget(closing, path, unwanted);
    return false;
  }
  if ((found.mode & unwanted) === 0) return false;
  const name = relative(closing.root, path) || '.';
  const reason = sharedFolderReason(path, found) ?? (await setMode(path, found.mode & 0o7777 & ~unwanted));
  if (reason === null) closing.closed.push(name);
  else closing.open.set(name, reason);
  return true;
}

/**
 * Returns the reason why a folder is shared by the system and must not be closed, even as the data folder; null
 * otherwise.
 */
function sharedFolderReason(path: string, { mode }: Stats): string | null {
  if (dirname(path) === path) return 'it is the root of the file system';
  return (mode & STICKY) === 0 ? null : 'it is a common folder of this computer';
}

async function setMode(path: string, mode: number): Promise<string | null> {
  try {
    await chmod(path, mode);
    const now = (await stat(path)).mode & 0o777;
    return (now & ~mode) === 0 ? null : 'its file system keeps no permissions';
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    if (errorCode(error) === 'EPERM') return 'it belongs to another account';
    return errorCode(error) === 'EROFS' ? 'its file system is read-only' : 'the system refuses it';
  }
}

/** Reports the target of a link that is open to others. It was put elsewhere on purpose and is not changed. */
async function checkTarget(closing: Closing, path: string, unwanted: number): Promise<void> {
  const target = await stat(path).catch(() => null);
  if (target && (target.mode & unwanted) !== 0) closing.open.set(relative(closing.root, path), LINK_REASON);
}

function ignoreMissing(error: unknown): null {
  if (errorCode(error) === 'ENOENT') return null;
  throw error;
}

/** One sentence for each reason, with the first names: of thousands of documents nobody needs the list. */
function warningsOf(folder: string, open: ReadonlyMap<string, string>): string[] {
  const byReason = new Map<string, string[]>();
  for (const [name, reason] of open) byReason.set(reason, [...(byReason.get(reason) ?? []), name]);
  return [...byReason].map(([reason, names]) => warningOf(folder, names, reason));
}

function warningOf(folder: string, names: readonly string[], reason: string): string {
  const [first = '.'] = names;
  const path = first === '.' ? folder : join(folder, first);
  const more = names.length === 1 ? '' : ` and ${names.length - 1} more`;
  return `Other accounts on this computer can open ${path}${more}, and Faxdesk could not prevent it: ${reason}.`;
}
