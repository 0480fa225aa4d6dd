import { readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';

/** Ids of processes are numbers; everything else in that folder is about the system. */
const PROCESS_ID = /^\d+$/u;

/**
 * Returns the ids of other processes that have one of the files open. Empty where the system does not show it: only
 * Linux does, and for the processes of other accounts only to root.
 */
export async function otherUsersOf(paths: readonly string[], folder = '/proc'): Promise<number[]> {
  const wanted = new Set(paths);
  const names = await readdir(folder).catch(() => []);
  const users: number[] = [];
  for (const name of names) {
    if (!PROCESS_ID.test(name) || Number(name) === process.pid) continue;
    if (await hasOpen(join(folder, name, 'fd'), wanted)) users.push(Number(name));
  }
  return users;
}

async function hasOpen(folder: string, wanted: ReadonlySet<string>): Promise<boolean> {
  for (const name of await readdir(folder).catch(() => [])) {
    const target = await readlink(join(folder, name)).catch(() => '');
    if (wanted.has(target)) return true;
  }
  return false;
}
