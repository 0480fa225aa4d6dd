import { createBackup } from './backup/create-backup.ts';
import { BackupError } from './backup/errors.ts';
import { backupSource } from './backup/installation.ts';
import type { BootOptions } from './config/boot.ts';
import { RELEASE } from './config/release.ts';
import type { MakeBackup } from './features/console/room.ts';
import type { Clock } from './platform/clock.ts';

/** Makes a backup of the running installation, for the console. */
export function backupMaker(boot: BootOptions, clock: Clock): MakeBackup {
  return async (file, { signal, onProgress }) => {
    const done = { rows: 0, files: 0 };
    const parts = {
      release: RELEASE,
      clock,
      signal,
      onProgress({ what, count }: { what: 'rows' | 'files'; count: number }) {
        done[what] += count;
        onProgress(done);
      },
    };
    try {
      return await createBackup(await backupSource(boot), file, parts);
    } catch (error) {
      if (error instanceof BackupError) return { failure: error.message };
      throw error;
    }
  };
}
