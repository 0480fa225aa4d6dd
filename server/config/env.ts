import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { errorCode } from '../platform/errors.ts';

/** Names and texts, blank ones left out. */
export type Environment = Readonly<Record<string, string>>;

/** Names that are read at every start and are not settings. */
export const BOOT_NAMES = {
  dataFolder: 'FAXDESK_DATA',
  host: 'HOST',
  port: 'PORT',
  databaseUrl: 'DATABASE_URL',
  apiKey: 'API_KEY',
  requireApiKey: 'REQUIRE_API_KEY',
  dataKey: 'FAXDESK_DATA_KEY',
  formerDataKey: 'FAXDESK_DATA_KEY_FORMER',
  folders: 'FAXDESK_FOLDERS',
  directKeyPath: 'SERVICE_DIRECT_KEY_PATH',
  libreOffice: 'FAXDESK_LIBREOFFICE',
  severalGateways: 'SEVERAL_GATEWAYS',
} as const;

/** Variables in which the operating system names the folders of its own tools. */
export const FOLDER_NAMES = {
  windowsSystem: 'SystemRoot',
} as const;

/** A copy of the environment of this process: the only place that reads it. */
export function processEnvironment(): Environment {
  return withoutBlanks(process.env);
}

/**
 * The environment a start reads: `<data folder>/.env`, overruled by the process environment. A blank value counts as
 * not set on either side. Throws when the file is there and cannot be read.
 */
export async function readEnvironment(
  dataFolder: string,
  own: Environment = processEnvironment(),
): Promise<Environment> {
  return { ...(await environmentOf(join(dataFolder, '.env'))), ...own };
}

/** Reads the names and texts of a `.env` file. Throws the error of the system when it cannot be read. */
export async function readEnvironmentFile(path: string): Promise<Environment> {
  const text = await readFile(path, 'utf8');
  return withoutBlanks(parseEnv(text.replace(/^\uFEFF/u, '')));
}

async function environmentOf(path: string): Promise<Environment> {
  try {
    return await readEnvironmentFile(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return {};
    throw error;
  }
}

function withoutBlanks(values: Readonly<Record<string, string | undefined>>): Environment {
  const kept = Object.entries(values).filter(([, value]) => value !== undefined && value.trim() !== '');
  return Object.fromEntries(kept) as Environment;
}

/** Replaces the environment of this process by these variables, for a process that works for one person. */
export function replaceEnvironment(variables: Readonly<Record<string, string>>): void {
  process.env = { ...variables };
}
