import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { STORE_FILE } from '../backup/data-folder.ts';
import { finishRestore, OUTCOME_SENTENCES, type RestoreOutcome } from '../backup/finish-restore.ts';
import type { BootOptions } from '../config/boot.ts';
import { type ClosedFolder, closeDataFolder } from '../config/owner-only.ts';
import { assertWritable } from '../config/writable-folders.ts';
import { lockFile } from '../db/sqlite-file.ts';
import type { Closing } from '../platform/closing.ts';
import { finishHeaders } from '../platform/header-journal.ts';
import type { Logger } from '../platform/logger.ts';

/** Another gateway works on the data folder. */
export class GatewayRunningError extends Error {
  override name = 'GatewayRunningError';
}

/** A data folder that is ours until the stop. */
export interface TakenFolder extends ClosedFolder {
  /** Result of handling a restore that was interrupted; null when there was none. */
  readonly restore: RestoreOutcome | null;
  /** The last gateway on this database file was killed, or lost its power: its log is still there. */
  readonly endedInTheMiddle: boolean;
}

/**
 * Makes the data folder when it is missing, tries whether it can be written to, closes it to others, locks it, and brings a
 * restore that was interrupted to its end. Throws BootError, GatewayRunningError and UnfinishedRestoreError.
 */
export async function takeDataFolder(boot: BootOptions, closing: Closing): Promise<TakenFolder> {
  const { dataFolder, databaseUrl } = boot;
  await assertWritable(dataFolder);
  const folder = await closeDataFolder(dataFolder);
  const lock = lockFile(join(dataFolder, 'gateway.lock'));
  if (!lock) throw new GatewayRunningError(`Faxdesk is already running on ${dataFolder}.`);
  closing.add('lock', () => lock.release());
  const restore = await finishRestore({ dataFolder, postgresUrl: databaseUrl });
  await finishHeaders(dataFolder);
  const log = await stat(join(dataFolder, `${STORE_FILE}-wal`)).catch(() => null);
  return { ...folder, restore, endedInTheMiddle: databaseUrl === null && (log?.size ?? 0) > 0 };
}

export function logTakenFolder({ closed, warnings, restore }: TakenFolder, logger: Logger): void {
  const [first, ...more] = closed;
  if (first !== undefined)
    logger
      .room('config')
      .warn(
        { first, more: more.length },
        'other accounts of this computer could open the data folder or something in it; it was closed to them',
      );
  for (const warning of warnings) logger.room('config').warn({}, warning);
  if (restore !== null) logger.room('gateway').warn({}, OUTCOME_SENTENCES[restore]);
}
