import type { Dirent } from 'node:fs';
import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isBeingWritten, TEMPORARY_PREFIX } from './durable-file.ts';
import { errorCode } from './errors.ts';

/**
 * Removes the drafts of killed processes in a folder and those below it: files and folders with the temporary prefix
 * that nobody has changed since `before` (epoch milliseconds) and that this process is not writing. Links are not followed, and folders that `enters` refuses
 * are left alone. Answers how many went; what cannot be read or removed stays.
 */
export async function removeTemporaryFiles(
  folder: string,
  { before, enters = () => true }: { before: number; enters?: (folder: string) => boolean },
): Promise<number> {
  let removed = 0;
  for (const entry of await entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (entry.name.startsWith(TEMPORARY_PREFIX)) removed += await removeOlder(path, before);
    else if (entry.isDirectory() && enters(path))
      removed += await removeTemporaryFiles(path, { before, enters });
  }
  return removed;
}

/** A file of another process grows while it is written, however long that takes. */
async function removeOlder(path: string, before: number): Promise<number> {
  try {
    if ((await lstat(path)).mtimeMs >= before || isBeingWritten(path)) return 0;
    await rm(path, { recursive: true, force: true });
    return 1;
  } catch (error) {
    if (isIgnorable(error)) return 0;
    throw error;
  }
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (isIgnorable(error)) return [];
    throw error;
  }
}

/** Returns true for a file that is gone meanwhile, or belongs to another account. */
function isIgnorable(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'].includes(errorCode(error));
}
