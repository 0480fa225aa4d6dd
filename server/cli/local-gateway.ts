import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BootOptions } from '../config/boot.ts';
import { readRunning } from '../config/running-file.ts';
import { KEY_FILES } from '../config/secrets.ts';
import { errorCode } from '../platform/errors.ts';
import { isLoopbackHost } from '../platform/public-address.ts';
import { CommandFailure, EXIT } from './exit-codes.ts';

/** The address of the gateway that runs on the data folder, null when none does. */
export async function localGateway(dataFolder: string): Promise<string | null> {
  const running = await readRunning(dataFolder);
  return running && isAlive(running.pid) ? running.url : null;
}

/**
 * The installation key, for the gateway of this data folder and nobody else: another account of this computer may
 * listen on any other port. Null when `url` is not that gateway, or there is no key.
 */
export async function installationKeyFor(url: URL, boot: BootOptions): Promise<string | null> {
  const local = await localGateway(boot.dataFolder);
  const own = local === null ? null : URL.parse(local);
  if (own === null || own.port !== url.port) return null;
  if (own.hostname !== url.hostname && !(isLoopbackHost(own.hostname) && isLoopbackHost(url.hostname)))
    return null;
  return boot.apiKey ?? (await readKeyFile(join(boot.dataFolder, KEY_FILES.installation)));
}

async function readKeyFile(path: string): Promise<string | null> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw new CommandFailure(
      `The installation key in ${path} cannot be read. Give a key with --key.`,
      EXIT.noKey,
    );
  }
}

/**
 * Returns true when the process exists. A crash leaves the file of a gateway behind, whose address may belong to
 * another program by now.
 */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}
