import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createLocalStorage } from '../adapters/storage/local.ts';
import { FILES_FOLDER, STORE_FILE } from '../backup/data-folder.ts';
import { type BootOptions, dataFolderOf, readBoot } from '../config/boot.ts';
import { processEnvironment } from '../config/env.ts';
import { CommandFailure, EXIT } from './exit-codes.ts';

/** Reads how a data folder is started: the one of `--data`, else the one of the environment or the system. */
export async function bootOf(data: string | undefined): Promise<BootOptions> {
  return (await readBoot(data === undefined ? {} : { dataFolder: data })).options;
}

/** Returns the path of the data folder, also where a value of the environment is wrong and no gateway starts. */
export function folderOf(data: string | undefined): string {
  return dataFolderOf(processEnvironment(), data === undefined ? {} : { dataFolder: data });
}

/**
 * Reads how a data folder is started, for a command that works without a gateway and makes nothing there. Throws CommandFailure
 * when there is no such folder.
 */
export async function presentBoot(data: string | undefined): Promise<BootOptions> {
  const boot = await bootOf(data);
  const found = await stat(boot.dataFolder).catch(() => null);
  if (found?.isDirectory()) return boot;
  throw new CommandFailure(
    `There is no folder ${boot.dataFolder}. Use --data to give another.`,
    EXIT.notFound,
  );
}

/** Like {@link presentBoot}, for a command that reads the records there. Throws CommandFailure when there are none. */
export async function installedBoot(data: string | undefined): Promise<BootOptions> {
  const boot = await presentBoot(data);
  const missing = await missingStoreReason(boot);
  if (missing !== null) throw new CommandFailure(missing, EXIT.notFound);
  return boot;
}

/** Returns a sentence that says why the records of a data folder cannot be read; null when it may have them. */
export async function missingStoreReason({ dataFolder, databaseUrl }: BootOptions): Promise<string | null> {
  if (databaseUrl !== null || existsSync(join(dataFolder, STORE_FILE))) return null;
  const files = join(dataFolder, FILES_FOLDER);
  const mark = existsSync(files) ? await (await createLocalStorage(files)).readMark() : null;
  return mark?.database === 'postgres'
    ? `The installation in ${dataFolder} stores its records in PostgreSQL. Set DATABASE_URL to the same value as its gateway.`
    : `There is no installation in ${dataFolder}. Use --data to give another folder.`;
}
