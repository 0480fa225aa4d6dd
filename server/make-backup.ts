import { createBackup } from './backup/create-backup.ts';
import { BackupError } from './backup/errors.ts';
import { backupSource } from './backup/installation.ts';
import type { BootOptions } from './config/boot.ts';
import { RELEASE } from './config/release.ts';
import type { DamageWatch } from './db/damage.ts';
import type { MakeBackup } from './features/console/room.ts';
import type { Clock } from './platform/clock.ts';

/**
 * Makes a backup of the running installation, for the console. It reads every row, so `damage` is notified of damage
 * that it finds. `dataKey` is the key that the gateway works with, even if its file was lost since; null where that is
 * not the key of the store.
 */
export function backupMaker(
  boot: BootOptions,
  { clock, damage, dataKey }: { clock: Clock; damage: DamageWatch; dataKey: Uint8Array | null },
): MakeBackup {
  const located = dataKey === null ? boot : { ...boot, dataKey };
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
      return await createBackup(await backupSource(located), file, parts);
    } catch (error) {
      damage.hear(error instanceof BackupError ? error.cause : error);
      if (error instanceof BackupError) return { failure: error.message };
      throw error;
    }
  };
}
