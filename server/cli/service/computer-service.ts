import { isAbsolute, posix, win32 } from 'node:path';
import { CommandFailure, EXIT } from '../exit-codes.ts';
import {
  freeAccountId,
  launchdRemoval,
  launchdSteps,
  stopSteps as launchdStop,
  MAC_SERVICE,
  ROOT_ID,
} from './launchd.ts';
import type { FoundFolder, ServiceSpec } from './plan.ts';
import { readServiceFacts } from './service-file.ts';
import type { ServiceSystem } from './service-system.ts';
import type { Step } from './steps.ts';
import { isTrusted } from './trusted-folder.ts';
import {
  isElevated,
  isStopped,
  windowsRemoval,
  windowsService,
  windowsSteps,
  windowsStop,
} from './windows.ts';

/** Options of a person; those that are left out stay as the service has them. */
export interface ServiceRequest {
  readonly data: string | null;
  readonly port: number | null;
}

/** State of the service of this computer. */
export interface ServiceState {
  readonly exists: boolean;
  readonly isRunning: boolean;
  readonly dataFolder: string;
  readonly port: number | null;
  /** File with its last words, as a refused start has them. */
  readonly log: string;
}

const ON_LINUX =
  'On Linux the package for servers brings the service: install it and run “sudo systemctl enable --now faxdesk”.';
const NOT_INSTALLED =
  'This is not the Faxdesk of an installer, so it cannot become a service. Install Faxdesk for everyone who uses this computer, and run the command from there.';
const FOR_AN_ACCOUNT =
  'This Faxdesk is installed for one account, which could change what the service runs. Install it for everyone who uses this computer.';

/** Reads the service of this computer. Throws CommandFailure on a system without one. */
export async function readService(system: ServiceSystem): Promise<ServiceState> {
  const facts = await readServiceFacts(system);
  const port = facts?.port ?? null;
  const question = questionOf(system);
  const { code, output } = await system.run(question.program, question.words);
  if (system.platform === 'win32') {
    const service = windowsService(system.windows);
    const dataFolder = facts?.data ?? service.dataFolder;
    const exists = code === 0;
    return {
      exists,
      isRunning: exists && !isStopped(output),
      dataFolder,
      port,
      log: service.log(dataFolder),
    };
  }
  const dataFolder = facts?.data ?? MAC_SERVICE.dataFolder;
  const isRunning = /\bstate = running\b/u.test(output);
  const exists = code === 0 || system.exists(MAC_SERVICE.plist);
  return { exists, isRunning, dataFolder, port, log: MAC_SERVICE.log };
}

/** Returns the service as it is to be, and the steps to it. Throws CommandFailure where this computer cannot have it. */
export async function planService(
  system: ServiceSystem,
  request: ServiceRequest,
): Promise<{ spec: ServiceSpec; steps: Step[] }> {
  await requireRights(system);
  const program = requireProgram(system);
  const state = await readService(system);
  const dataFolder = request.data ?? state.dataFolder;
  const { join } = pathsOf(system);
  const isNew = !['.env', 'faxdesk.sqlite', 'installation.key', 'data.key'].some((name) =>
    system.exists(join(dataFolder, name)),
  );
  const found: FoundFolder =
    system.entry(dataFolder) === null
      ? 'none'
      : state.exists && dataFolder === state.dataFolder
        ? 'own'
        : 'other';
  const spec = { program, dataFolder, port: request.port ?? state.port, isNew, found };
  if (system.platform === 'win32')
    return { spec, steps: windowsSteps(spec, system.windows, { isEntered: state.exists }) };
  const accountId = await readAccountId(system);
  const steps = launchdSteps(spec, {
    newAccountId: accountId === null ? await newAccountId(system) : null,
    owners: accountId === null ? [ROOT_ID] : [ROOT_ID, accountId],
    exists: state.exists,
    mayLinkCommand: mayLinkCommand(system),
    hasCommandFolder: system.exists(posix.dirname(MAC_SERVICE.command)),
  });
  return { spec, steps };
}

/** Returns the steps that stop the service until the computer starts again; none where it is stopped. */
export async function planStop(system: ServiceSystem): Promise<Step[]> {
  await requireRights(system);
  if (!(await readService(system)).exists) return [];
  return system.platform === 'win32' ? windowsStop(system.windows) : launchdStop();
}

/** Returns the steps that restart the service. */
export async function planRestart(system: ServiceSystem): Promise<Step[]> {
  const steps = await planStop(system);
  if (system.platform === 'win32') return [...steps, windowsService(system.windows).startStep];
  return [...steps, MAC_SERVICE.startStep];
}

/** Returns the steps that take the service away. Throws CommandFailure where there is none. */
export async function planRemoval(system: ServiceSystem): Promise<Step[]> {
  await requireRights(system);
  const { exists } = await readService(system);
  if (system.platform === 'win32') {
    if (!exists) throw noService();
    return windowsRemoval(requireProgram(system), system.windows);
  }
  if (!exists) throw noService();
  return launchdRemoval({ exists, mayLinkCommand: mayLinkCommand(system) });
}

/** Returns the whole path of a data folder. Throws CommandFailure for a part of one: a service has no working folder. */
export function wholePath(system: ServiceSystem, path: string): string {
  const isWhole = system.platform === 'win32' ? win32.isAbsolute(path) : isAbsolute(path);
  if (isWhole && !/["\n\r]/u.test(path)) return path;
  throw new CommandFailure('--data must be the whole path of the folder.', EXIT.badValues);
}

const noService = () => new CommandFailure('This computer has no service of Faxdesk.', EXIT.notFound);

async function requireRights(system: ServiceSystem): Promise<void> {
  requireSystem(system);
  if (system.platform === 'darwin') {
    if (system.isRoot) return;
    throw new CommandFailure(
      'Only an administrator can do that. Begin the command with sudo.',
      EXIT.notAllowed,
    );
  }
  const { program, words } = windowsService(system.windows).rightsQuestion;
  if (isElevated((await system.run(program, words)).output)) return;
  throw new CommandFailure(
    'Only an administrator can do that. Open the command prompt with “Run as administrator”.',
    EXIT.notAllowed,
  );
}

function requireSystem({ platform }: ServiceSystem): void {
  if (platform !== 'win32' && platform !== 'darwin') throw new CommandFailure(ON_LINUX, EXIT.failed);
}

function requireProgram({ program, platform, windows }: ServiceSystem): string {
  if (program === null) throw new CommandFailure(NOT_INSTALLED, EXIT.failed);
  if (platform === 'win32' && !isBelow(program, windows.programFiles))
    throw new CommandFailure(FOR_AN_ACCOUNT, EXIT.failed);
  return program;
}

function isBelow(path: string, folder: string): boolean {
  const below = win32.relative(folder.toLowerCase(), path.toLowerCase());
  return below !== '' && !below.startsWith('..') && !win32.isAbsolute(below);
}

function questionOf(system: ServiceSystem) {
  requireSystem(system);
  return system.platform === 'win32' ? windowsService(system.windows).question : MAC_SERVICE.question;
}

const pathsOf = ({ platform }: ServiceSystem) => (platform === 'win32' ? win32 : posix);

/** Returns the number of the account of the service; null without one. */
async function readAccountId({ run }: ServiceSystem): Promise<number | null> {
  const { program, words } = MAC_SERVICE.accountQuestion;
  const { code, output } = await run(program, words);
  return code === 0 ? Number(/\d+/u.exec(output)?.[0]) : null;
}

async function newAccountId({ run }: ServiceSystem): Promise<number> {
  const { idsQuestions } = MAC_SERVICE;
  const lists = await Promise.all(idsQuestions.map(({ program, words }) => run(program, words)));
  const id = freeAccountId(lists.map(({ output }) => output));
  if (id !== null) return id;
  throw new CommandFailure('This computer has no free number for the account of the service.');
}

/** False also in a folder of a person, who could replace the command that an administrator runs. */
function mayLinkCommand({ entry, exists, linkTarget }: ServiceSystem): boolean {
  const folder = posix.dirname(MAC_SERVICE.command);
  if (![posix.dirname(folder), folder].every((path) => isTrusted(entry(path), [ROOT_ID]))) return false;
  const target = linkTarget(MAC_SERVICE.command);
  return target === null ? !exists(MAC_SERVICE.command) : target.startsWith(`${MAC_SERVICE.program}/`);
}
