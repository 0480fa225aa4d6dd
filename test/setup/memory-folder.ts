import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';

/** Linux keeps what is written here in memory. */
const SHARED_MEMORY = '/dev/shm';
/** Several times what a whole run has at once, so that it never fills up. */
const REQUIRED_BYTES = 4e9;

/**
 * Has all temporary folders of a run in memory where the system offers enough of it: a third of the run was waiting for the
 * disk to confirm commits. What a killed process leaves is the same there. The returned function removes what is left of them.
 */
export async function keepTemporaryFoldersInMemory(): Promise<() => Promise<void>> {
  if (process.env['TMPDIR'] !== undefined || !(await hasEnoughSpace())) return async () => {};
  const folder = await mkdtemp(join(SHARED_MEMORY, 'faxdesk-tests-'));
  // PostgreSQL runs as a user of its own and passes through.
  await chmod(folder, 0o711);
  process.env['TMPDIR'] = folder;
  return async () => {
    delete process.env['TMPDIR'];
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  };
}

async function hasEnoughSpace(): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  try {
    const { bavail, bsize } = await statfs(SHARED_MEMORY);
    return bavail * bsize >= REQUIRED_BYTES;
  } catch {
    return false;
  }
}
