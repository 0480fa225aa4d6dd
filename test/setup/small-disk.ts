import { spawnSync } from 'node:child_process';
import { mkdtemp, open, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system of a few megabytes that a test can fill. */
export interface SmallDisk {
  readonly folder: string;
  /** Takes all room but about `leftBytes`. */
  fill(leftBytes?: number): Promise<void>;
  makeRoom(): Promise<void>;
  remove(): Promise<void>;
}

const STEP_BYTES = 1024 * 1024;

/** Mounts a disk in memory, or says in one sentence why there is none. */
export async function mountSmallDisk(megabytes: number): Promise<SmallDisk | { unavailable: string }> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return { unavailable: 'a small disk can be mounted on Linux by root only' };
  const folder = await mkdtemp(join(tmpdir(), 'faxdesk-disk-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]);
  if (mounted.status !== 0) {
    await rm(folder, { recursive: true });
    return { unavailable: `mounting a small disk failed: ${String(mounted.stderr).trim()}` };
  }
  const filler = join(folder, 'filler');
  return {
    folder,
    async fill(leftBytes = 0) {
      const { bavail, bsize } = await statfs(folder);
      const file = await open(filler, 'a');
      try {
        // Most of it in large steps. The count of free blocks is not exact, so a disk that is to be full is written until it refuses.
        const free = bavail * bsize;
        let left = leftBytes === 0 ? Number.POSITIVE_INFINITY : Math.max(0, free - leftBytes);
        for (let ahead = Math.min(left, free) - 2 * STEP_BYTES; ahead > 0; ahead -= STEP_BYTES) {
          await file.appendFile(Buffer.alloc(STEP_BYTES));
          left -= STEP_BYTES;
        }
        for (; left > 0; left -= 4096) await file.appendFile(Buffer.alloc(Math.min(4096, left)));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      } finally {
        await file.close();
      }
    },
    makeRoom: () => rm(filler, { force: true }),
    async remove() {
      spawnSync('umount', ['--lazy', folder]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
