import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Client, createClient } from '../../shared/client/index.ts';
import { readBoot } from '../config/boot.ts';
import { commandEnvironment } from '../config/command-env.ts';
import { KEY_FILES } from '../config/secrets.ts';
import { isLoopbackHost } from '../platform/public-address.ts';
import { readRunning } from '../running-file.ts';
import { CommandFailure, EXIT } from './exit-codes.ts';

/** The options every command takes. */
export interface GlobalOptions {
  readonly url?: string;
  readonly key?: string;
  readonly data?: string;
  readonly json?: boolean;
}

/**
 * A client for the gateway that is meant: told, of the environment, or the one of this computer, whose data folder holds
 * address and installation key. That key never goes to another computer.
 */
export async function connect(options: GlobalOptions): Promise<Client> {
  const { url, apiKey } = await whereAndWho(options);
  return createClient(apiKey === null ? { baseUrl: url } : { baseUrl: url, apiKey });
}

export async function whereAndWho(options: GlobalOptions): Promise<{ url: string; apiKey: string | null }> {
  const environment = commandEnvironment();
  const { options: boot } = await readBoot(options.data === undefined ? {} : { dataFolder: options.data });
  const told = options.url ?? environment.url;
  const running = await readRunning(boot.dataFolder);
  const url = told ?? running?.url ?? `http://${boot.host}:${boot.port}`;
  const address = URL.parse(url);
  if (!address || !['http:', 'https:'].includes(address.protocol))
    throw new CommandFailure(`${url} is not a web address.`, EXIT.usage);
  const key = options.key ?? environment.key;
  if (key) return { url, apiKey: key };
  if (!isLoopbackHost(address.hostname)) return { url, apiKey: null };
  return { url, apiKey: boot.apiKey ?? (await installationKeyOf(boot.dataFolder)) };
}

async function installationKeyOf(dataFolder: string): Promise<string | null> {
  try {
    return (await readFile(join(dataFolder, KEY_FILES.installation), 'utf8')).trim();
  } catch {
    return null;
  }
}
