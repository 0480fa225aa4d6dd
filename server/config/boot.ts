import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { type DataFolderChoice, findDataFolder, unusedFoldersSentence } from '../../shared/data-folder.ts';
import { DATA_KEY_BYTES } from '../platform/data-keys.ts';
import type { OutgoingProxies } from '../platform/outgoing-proxy.ts';
import { parseServers } from '../platform/server-list.ts';
import { BOOT_NAMES, type Environment, processEnvironment, readEnvironment } from './env.ts';
import { ProxyProblem, readProxies } from './proxies.ts';

/** Options that a start needs before there is a database. */
export interface BootOptions {
  /** Absolute. */
  readonly dataFolder: string;
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  /** PostgreSQL address; null for the built-in database. */
  readonly databaseUrl: string | null;
  /** Other gateways may use the database at the same time; false when left out. Needs PostgreSQL. */
  readonly severalGateways?: boolean;
  /** The installation key of the environment, null when none was set. */
  readonly apiKey: string | null;
  /** False asks for the open mode: see `openMode` of `secrets.ts`. */
  readonly requireApiKey: boolean;
  /** 32 bytes; null when the key file of the data folder is to be used. */
  readonly dataKey: Uint8Array | null;
  /** The data key is taken for right from now on, and made when it is missing: the former one is lost. */
  readonly acceptDataKey?: boolean;
  /** Absolute: files and folders of the settings may lie below them. None when left out. */
  readonly folders?: readonly string[];
  /** Absolute: the file with the keys of direct delivery. That of the data folder when left out. */
  readonly directKeyPath?: string;
  /** Absolute path of the program of LibreOffice; null where none is used. Found by itself when left out. */
  readonly libreOffice?: string | null;
  /** Starts also when the store and the documents do not belong together; those it does not name are moved aside. */
  readonly acceptEmptyStore?: boolean;
  /** The proxies for outgoing connections; none when left out. */
  readonly proxies?: OutgoingProxies;
  /** The office has decided that this gateway opens itself to no other computer; false when left out. */
  readonly isNetworkOff?: boolean;
  /** True where the windows of this computer reach the gateway over HTTPS, which then stays on for this computer; false when left out. */
  readonly hasLocalHttps?: boolean;
  /** Sentence about installations elsewhere that are not used. */
  readonly unused?: string | null;
}

/** Options set by the command line or the desktop application; they override the environment. */
export interface BootOverrides {
  readonly dataFolder?: string;
  readonly host?: string;
  readonly port?: string | number;
  readonly acceptEmptyStore?: boolean;
  readonly acceptDataKey?: boolean;
  /** Has it listen on this computer alone, whatever the environment says. */
  readonly isNetworkOff?: boolean;
  /** Leaves HTTPS on for this computer then. */
  readonly hasLocalHttps?: boolean;
}

/** A start that cannot go on. The message is one sentence for a person and names what to change. */
export class BootError extends Error {
  override name = 'BootError';
}

const DEFAULT_HOST = '127.0.0.1';
const DEFAULT_PORT = 8080;

/** Reads the environment with the data folder's `.env` file and makes typed options of it. Throws {@link BootError}. */
export async function readBoot(
  overrides: BootOverrides = {},
  own: Environment = processEnvironment(),
): Promise<{ options: BootOptions; environment: Environment }> {
  const dataFolder = dataFolderOf(own, overrides);
  const environment = await readEnvironment(dataFolder, own);
  const options = {
    ...bootOptions(dataFolder, environment, overrides),
    unused: unusedInstallations(own, dataFolder),
  };
  return { options, environment };
}

/**
 * Returns the absolute data folder: the override, else `FAXDESK_DATA`, else the default of this account on the system.
 */
export function dataFolderOf(environment: Environment, overrides: BootOverrides = {}): string {
  return resolve(overrides.dataFolder ?? environment[BOOT_NAMES.dataFolder] ?? placeOf(environment).folder);
}

function placeOf(environment: Environment): DataFolderChoice {
  return findDataFolder({
    platform: process.platform,
    home: homedir(),
    environment,
    join,
    exists: existsSync,
  });
}

/** Returns a sentence about other installations of this account where its default folder is used; null without any. */
function unusedInstallations(environment: Environment, dataFolder: string): string | null {
  const place = placeOf(environment);
  return place.folder === dataFolder ? unusedFoldersSentence(place) : null;
}

function bootOptions(dataFolder: string, environment: Environment, overrides: BootOverrides): BootOptions {
  const databaseUrl = readDatabaseUrl(environment[BOOT_NAMES.databaseUrl]);
  const { isNetworkOff = false, hasLocalHttps = false } = overrides;
  return {
    dataFolder,
    host: isNetworkOff
      ? DEFAULT_HOST
      : readHost(overrides.host ?? environment[BOOT_NAMES.host] ?? DEFAULT_HOST, overrides),
    isNetworkOff,
    hasLocalHttps,
    port: readPort(overrides.port ?? environment[BOOT_NAMES.port] ?? DEFAULT_PORT, overrides),
    databaseUrl,
    severalGateways: readSeveral(environment[BOOT_NAMES.severalGateways], databaseUrl),
    apiKey: readApiKey(environment[BOOT_NAMES.apiKey]),
    requireApiKey: readRequireApiKey(environment[BOOT_NAMES.requireApiKey]),
    dataKey: readDataKeys(environment),
    acceptDataKey: overrides.acceptDataKey ?? false,
    folders: readFolders(environment[BOOT_NAMES.folders]),
    acceptEmptyStore: overrides.acceptEmptyStore ?? false,
    proxies: proxiesOf(environment),
    ...readLibreOffice(environment[BOOT_NAMES.libreOffice]),
    ...readDirectKeyPath(environment[BOOT_NAMES.directKeyPath], dataFolder),
  };
}

function proxiesOf(environment: Environment): OutgoingProxies {
  try {
    return readProxies(environment);
  } catch (error) {
    throw error instanceof ProxyProblem ? new BootError(error.message) : error;
  }
}

function readHost(text: string, { host: override }: BootOverrides): string {
  const host = text.trim().replace(/^\[(.*)\]$/u, '$1');
  if (/^[a-z0-9.:_-]{1,255}$/iu.test(host)) return host;
  const name = override === undefined ? BOOT_NAMES.host : '--host';
  throw new BootError(`${name} must be a host name or an address such as 127.0.0.1 or 0.0.0.0.`);
}

function readPort(given: string | number, { port: override }: BootOverrides): number {
  const text = String(given).trim();
  const port = Number(text);
  if (/^\d{1,5}$/u.test(text) && port <= 65_535) return port;
  const name = override === undefined ? BOOT_NAMES.port : '--port';
  throw new BootError(`${name} must be a number from 0 to 65535.`);
}

function readLibreOffice(text: string | undefined): Pick<BootOptions, 'libreOffice'> {
  const path = text?.trim() ?? '';
  if (path === '') return {};
  if (path.toLowerCase() === 'off') return { libreOffice: null };
  if (isAbsolute(path)) return { libreOffice: path };
  throw new BootError(`${BOOT_NAMES.libreOffice} must be the whole path of the program soffice, or off.`);
}

/** The address may hold a password, so it is never repeated in the sentence. */
function readDatabaseUrl(text: string | undefined): string | null {
  if (text === undefined) return null;
  if (parseServers(text.trim()) !== null) return text.trim();
  throw new BootError(
    `${BOOT_NAMES.databaseUrl} must be a postgres:// address of a database that can be changed; leave it out to use the built-in database.`,
  );
}

function readApiKey(text: string | undefined): string | null {
  if (text === undefined) return null;
  const key = text.trim();
  // A shorter one than SAFE_KEY_LENGTH is warned of: an upgraded installation starts with the key that it has.
  if (/^[!-~]{1,512}$/u.test(key)) return key;
  throw new BootError(`${BOOT_NAMES.apiKey} must be 1 to 512 visible characters without spaces.`);
}

function readRequireApiKey(text: string | undefined): boolean {
  return readSwitch(BOOT_NAMES.requireApiKey, text ?? 'true');
}

function readSeveral(text: string | undefined, databaseUrl: string | null): boolean {
  const isOn = readSwitch(BOOT_NAMES.severalGateways, text ?? 'false');
  if (!isOn || databaseUrl !== null) return isOn;
  throw new BootError(
    `${BOOT_NAMES.severalGateways} needs a PostgreSQL database: name it in ${BOOT_NAMES.databaseUrl}.`,
  );
}

function readSwitch(name: string, text: string): boolean {
  const word = text.trim().toLowerCase();
  if (['true', '1', 'yes', 'on'].includes(word)) return true;
  if (['false', '0', 'no', 'off'].includes(word)) return false;
  throw new BootError(`${name} must be true or false.`);
}

/** The data key, followed by the one that it replaces. */
function readDataKeys(environment: Environment): Uint8Array | null {
  const key = readDataKey(environment, BOOT_NAMES.dataKey);
  const former = readDataKey(environment, BOOT_NAMES.formerDataKey);
  if (former === null) return key;
  if (key === null) throw new BootError(`${BOOT_NAMES.formerDataKey} needs ${BOOT_NAMES.dataKey} beside it.`);
  return key.equals(former) ? key : Buffer.concat([key, former]);
}

function readDataKey(environment: Environment, name: string): Buffer | null {
  const text = environment[name];
  if (text === undefined) return null;
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length === DATA_KEY_BYTES) return key;
  throw new BootError(`${name} must be 32 bytes written in base64.`);
}

/** A relative path is in the data folder. */
function readDirectKeyPath(text: string | undefined, dataFolder: string): Pick<BootOptions, 'directKeyPath'> {
  return text === undefined ? {} : { directKeyPath: resolve(dataFolder, text.trim()) };
}

/** A list as in `PATH`. */
function readFolders(text: string | undefined): readonly string[] {
  const folders = (text ?? '').split(delimiter).map((folder) => folder.trim());
  const named = folders.filter((folder) => folder !== '');
  if (named.every((folder) => isAbsolute(folder))) return named.map((folder) => resolve(folder));
  throw new BootError(
    `${BOOT_NAMES.folders} must be whole paths of folders, with ${delimiter} between them.`,
  );
}
