import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Environment, readEnvironmentFile } from '../config/env.ts';
import { sqliteFilesOf } from '../db/earlier-store.ts';
import type { StoreLocation } from '../db/snapshot.ts';
import { countUsage } from '../db/staging.ts';
import { storeWords } from '../db/store-words.ts';
import type { EarlierLocation } from '../features/upgrade/types.ts';
import { errorCode } from '../platform/errors.ts';
import { otherUsersOf } from '../platform/file-users.ts';
import { parseServers } from '../platform/server-list.ts';

/** Thrown when an upgrade cannot begin. The message is one sentence for a person; nothing was changed. */
export class UpgradeRefusedError extends Error {
  override name = 'UpgradeRefusedError';
}

/** Thrown when a gateway of the earlier release still runs. */
class EarlierGatewayRunningError extends Error {
  override name = 'EarlierGatewayRunningError';
}

/** An earlier installation that was found, with its environment. */
export interface FoundInstallation {
  readonly location: StoreLocation;
  /** Name of the store for people, without a password. */
  readonly source: string;
  /** Absolute path of the folder with its files. */
  readonly filesFolder: string;
  /** Null when no environment file was given. */
  readonly environment: Environment | null;
}

/**
 * Finds the store, the folder and the environment of an earlier release. Throws UpgradeRefusedError when one of them is
 * missing or cannot be read.
 */
export async function findEarlier({
  from,
  files,
  environmentFile,
}: EarlierLocation): Promise<FoundInstallation> {
  const filesFolder = resolve(files);
  if (!(await stat(filesFolder).catch(() => null))?.isDirectory())
    throw new UpgradeRefusedError(`There is no folder ${filesFolder} with the files of the earlier release.`);
  const location = parseServers(from)
    ? { postgresUrl: from, sqliteFile: '' }
    : { postgresUrl: null, sqliteFile: await databaseFile(from) };
  const source = storeWords(location);
  const environment = environmentFile === null ? null : await readEnvironment(resolve(environmentFile));
  return { location, source, filesFolder, environment };
}

async function databaseFile(from: string): Promise<string> {
  const file = await realpath(resolve(from)).catch(() => null);
  if (file === null) throw new UpgradeRefusedError(`There is no database ${resolve(from)}.`);
  return file;
}

async function readEnvironment(file: string): Promise<Environment> {
  try {
    return await readEnvironmentFile(file);
  } catch (error) {
    throw new UpgradeRefusedError(`The environment file ${file} cannot be read (${errorCode(error)}).`, {
      cause: error,
    });
  }
}

/** Throws EarlierGatewayRunningError while a program uses the store of the earlier release. */
export async function assertNotRunning({ location, source }: FoundInstallation): Promise<void> {
  const isRunning =
    location.postgresUrl === null
      ? (await otherUsersOf(await sqliteFilesOf(location.sqliteFile))).length > 0
      : (await countUsage(location)).users > 0;
  if (isRunning)
    throw new EarlierGatewayRunningError(
      `A program still uses ${source}; stop the earlier gateway first. Nothing was changed.`,
    );
}
