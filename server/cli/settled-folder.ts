import { join } from 'node:path';
import { finishRestore, OUTCOME_SENTENCES } from '../backup/finish-restore.ts';
import { isUnfinished } from '../backup/restore-journal.ts';
import type { BootOptions } from '../config/boot.ts';
import { lockFile } from '../db/sqlite-file.ts';
import { CommandFailure, EXIT } from './exit-codes.ts';
import { terminal } from './terminal.ts';

type Located = Pick<BootOptions, 'dataFolder' | 'databaseUrl'>;

/**
 * Before a command reads a data folder without its gateway: a restore that was interrupted is brought to its end. Throws
 * UnfinishedRestoreError, and CommandFailure while another command restores a backup there.
 */
export async function settleFolder({ dataFolder, databaseUrl }: Located): Promise<void> {
  if (!(await isUnfinished(dataFolder))) return;
  const lock = lockFile(join(dataFolder, 'gateway.lock'));
  if (!lock)
    throw new CommandFailure(
      `A backup is being restored to ${dataFolder}. Try again when that is done.`,
      EXIT.running,
    );
  try {
    const finished = await finishRestore({ dataFolder, postgresUrl: databaseUrl });
    if (finished !== null) terminal.note(OUTCOME_SENTENCES[finished]);
  } finally {
    lock.release();
  }
}
