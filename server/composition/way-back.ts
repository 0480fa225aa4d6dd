import { join } from 'node:path';
import { BackupError, UnfinishedRestoreError } from '../backup/errors.ts';
import { openWayBack, readWayBack } from '../backup/way-back.ts';
import type { BootOptions } from '../config/boot.ts';
import { RELEASE } from '../config/release.ts';
import { NewerStoreError } from '../db/migrator.ts';
import { lockFile } from '../db/sqlite-file.ts';
import { isEncryptedName } from '../platform/backup-name.ts';
import { restoreUnopened } from './backups.ts';
import type { Gateway } from './gateway.ts';

/** Result of the backup before another version is installed. */
export interface UpdateBackup {
  /** Reason why there is none, as a sentence; null when it was made. */
  readonly problem: string | null;
  /** True when the gateway has stopped, with a backup or without. */
  readonly isStopped: boolean;
  /** Absolute path of the backup; null when there is none. */
  readonly file: string | null;
}

/**
 * Stops a gateway and makes a backup, so that the backup lacks nothing that was accepted, received or sent. Opens the way back to
 * it where a later start can restore it without a person: not with PostgreSQL, on which others may work, not encrypted, and not
 * with documents in a bucket.
 */
export async function stopAndBackUp(
  gateway: Gateway,
  boot: BootOptions,
  stop: () => Promise<void>,
): Promise<UpdateBackup> {
  const planned = await gateway.planBackup();
  if ('problem' in planned) return { problem: planned.problem, isStopped: false, file: null };
  await stop();
  const { dataFolder, databaseUrl } = boot;
  const lock = lockFile(join(dataFolder, 'gateway.lock'));
  if (lock === null) return { problem: 'Another program uses the data folder.', isStopped: true, file: null };
  try {
    const made = await planned.make();
    if ('failure' in made) return { problem: made.failure, isStopped: true, file: null };
    const { file } = planned;
    if (databaseUrl === null && !isEncryptedName(file) && made.bucket === null)
      await openWayBack(dataFolder, { release: RELEASE, backup: file });
    return { problem: null, isStopped: true, file };
  } finally {
    lock.release();
  }
}

/**
 * After a start on a store that a newer release has changed: restores the backup of before where the way back is open, and returns
 * notes for an administrator. What was there is moved aside. Faxes go on as after a restart, since no gateway has opened in
 * between; those of any other restore are held. Throws `cause` where there is no way back.
 */
export async function goBack(cause: unknown, boot: BootOptions): Promise<string[]> {
  if (!(cause instanceof NewerStoreError) || boot.databaseUrl !== null) throw cause;
  const wayBack = await readWayBack(boot.dataFolder);
  if (wayBack === null) throw cause;
  try {
    const { setAside } = await restoreUnopened(wayBack.backup, boot);
    return [
      `Faxdesk went back to release ${RELEASE} and to the data from before the update. No fax was lost. The data that the newer release left is in ${setAside}.`,
    ];
  } catch (error) {
    if (!(error instanceof BackupError) || error instanceof UnfinishedRestoreError) throw error;
    throw new NewerStoreError(`${cause.message} Going back to ${wayBack.backup} failed. ${error.message}`);
  }
}
