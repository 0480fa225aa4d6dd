import { join } from 'node:path';
import { finishRestore, OUTCOME_SENTENCES } from '../backup/finish-restore.ts';
import { isUnfinished } from '../backup/restore-journal.ts';
import type { BootOptions } from '../config/boot.ts';
import { lockFile } from '../db/sqlite-file.ts';
import { finishHeaders, hasPlannedHeaders } from '../platform/header-journal.ts';
import { CommandFailure, EXIT } from './exit-codes.ts';
import { terminal } from './terminal.ts';

type Located = Pick<BootOptions, 'dataFolder' | 'databaseUrl'>;

/**
 * Before a command reads a data folder without its gateway: a restore that was interrupted is brought to its end, and headers of
 * documents that a replacement of the data key was writing are completed. Throws
 * UnfinishedRestoreError, and CommandFailure while another command restores a backup there.
 */
export async function settleFolder({ dataFolder, databaseUrl }: Located): Promise<void> {
  const isRestoring = await isUnfinished(dataFolder);
  if (!isRestoring && !hasPlannedHeaders(dataFolder)) return;
  const lock = lockFile(join(dataFolder, 'gateway.lock'));
  // A running gateway is writing the headers.
  if (!lock && !isRestoring) return;
  if (!lock)
    throw new CommandFailure(
      `A backup is being restored to ${dataFolder}. Try again when that is done.`,
      EXIT.running,
    );
  try {
    await finishHeaders(dataFolder);
    const finished = await finishRestore({ dataFolder, postgresUrl: databaseUrl });
    if (finished !== null) terminal.note(OUTCOME_SENTENCES[finished]);
  } finally {
    lock.release();
  }
}
