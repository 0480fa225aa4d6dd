import { posix, win32 } from 'node:path';
import { z } from 'zod';
import { officeFolder } from '../../../shared/office-folder.ts';
import {
  DECISIONS_FILE,
  PACKAGE_KEY,
  POLICY_KEY,
  POLICY_PROFILE,
  PROFILE_READER,
  parseRegistry,
} from '../../../shared/office-policy.ts';
import { terminal } from '../terminal.ts';
import { type ServiceSystem, thisSystem } from './service-system.ts';

/** A place of decisions. Left out, or empty in a policy, it decides nothing. */
const Decision = z.enum(['on', 'off', '']).optional();
type Decision = z.infer<typeof Decision>;

/**
 * Returns true when the office has decided that the gateway of this computer opens itself to no other one. A policy goes before the
 * file, and the file before the MSI package. Decisions that cannot be read keep it closed, with a note, since it may be meant to be.
 */
export async function isKeptOutOfNetwork(system: ServiceSystem = thisSystem()): Promise<boolean> {
  try {
    const decided = [await readPolicy(system), await readFile(system), await readPackage(system)];
    if (decided.find((decision) => decision !== undefined && decision !== '') !== 'off') return false;
    terminal.note('Your office has decided that other computers cannot reach Faxdesk on this computer.');
    return true;
  } catch {
    terminal.note(
      `The decisions of the office cannot be read (${fileOf(system)} or a policy), so no other computer can reach Faxdesk. Correct them and start it again.`,
    );
    return true;
  }
}

function fileOf({ platform, windows }: ServiceSystem): string {
  const { join } = platform === 'win32' ? win32 : posix;
  return join(officeFolder(platform, windows.programFiles), DECISIONS_FILE);
}

async function readFile(system: ServiceSystem): Promise<Decision> {
  const file = fileOf(system);
  if (!system.exists(file)) return undefined;
  const { network } = z.object({ network: Decision }).parse(JSON.parse((await system.read(file)) ?? ''));
  return network;
}

async function readPolicy(system: ServiceSystem): Promise<Decision> {
  if (system.platform === 'win32') return await readRegistry(system, POLICY_KEY);
  if (system.platform !== 'darwin' || !system.exists(POLICY_PROFILE)) return undefined;
  const { code, output } = await system.run(...PROFILE_READER);
  if (code !== 0) throw new Error('the profile cannot be read');
  return z.object({ Network: Decision }).parse(JSON.parse(output)).Network;
}

async function readPackage(system: ServiceSystem): Promise<Decision> {
  return system.platform === 'win32' ? await readRegistry(system, PACKAGE_KEY) : undefined;
}

/** `reg` ends with 1 where there is no such key. */
async function readRegistry({ run, windows }: ServiceSystem, key: string): Promise<Decision> {
  const { code, output } = await run(win32.join(windows.system, 'System32', 'reg.exe'), ['query', key]);
  if (code === 1) return undefined;
  if (code !== 0) throw new Error('the registry cannot be read');
  return Decision.parse(parseRegistry(output)['Network']);
}
