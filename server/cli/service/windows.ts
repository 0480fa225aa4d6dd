import { win32 } from 'node:path';
import {
  commandSettings,
  FIRST_SETTINGS,
  NODE_OPTIONS,
  RESTART_SECONDS,
  SERVE,
  type ServiceSpec,
} from './plan.ts';
import { run, type Step, tryRun } from './steps.ts';

const NAME = 'Faxdesk';
/** Account that Windows makes for the service alone. */
const ACCOUNT = `NT SERVICE\\${NAME}`;
const SYSTEM = '*S-1-5-18';
const ADMINISTRATORS = '*S-1-5-32-544';
const ALL_BELOW = ':(OI)(CI)F';
const DAY_SECONDS = 86_400;

/** Folders of Windows, as the environment of an administrator names them. */
export interface WindowsFolders {
  readonly programFiles: string;
  readonly programData: string;
  readonly system: string;
}

/** Programs of the folder of the system, never of the search path. */
const systemProgram = ({ system }: WindowsFolders, name: string) => win32.join(system, 'System32', name);

export function windowsService(folders: WindowsFolders) {
  const sc = systemProgram(folders, 'sc.exe');
  return {
    dataFolder: win32.join(folders.programData, NAME),
    log: (dataFolder: string) => win32.join(dataFolder, 'logs', 'service.log'),
    /** Succeeds where the service is entered, running or not. */
    question: { program: sc, words: ['query', NAME] },
    /** Groups of the account, with the level of an administrator. */
    rightsQuestion: {
      program: systemProgram(folders, 'whoami.exe'),
      words: ['/groups', '/fo', 'csv', '/nh'],
    },
    startStep: run(sc, 'start', NAME),
  } as const;
}

/** Returns true when the answer to the question about rights is that of an administrator or of the system. */
export const isElevated = (groups: string): boolean => /S-1-16-(?:12288|16384)\b/u.test(groups);

/** Returns true where the answer about the service says that it does not run. */
export const isStopped = (answer: string): boolean => /STATE\s*:\s*1\b/u.test(answer);

/** Returns the steps that enter or renew the service, without its start. */
export function windowsSteps(
  spec: ServiceSpec,
  folders: WindowsFolders,
  { isEntered }: { isEntered: boolean },
): Step[] {
  const { program, dataFolder, isNew } = spec;
  const sc = systemProgram(folders, 'sc.exe');
  const icacls = systemProgram(folders, 'icacls.exe');
  const delay = String(RESTART_SECONDS * 1000);
  const entry = ['binPath=', commandOf(spec, folders), 'start=', 'delayed-auto', 'obj=', ACCOUNT];
  return [
    ...(isEntered ? windowsStop(folders) : []),
    run(sc, isEntered ? 'config' : 'create', NAME, ...entry, 'DisplayName=', 'Faxdesk gateway'),
    run(sc, 'description', NAME, 'Sends and receives the faxes of this computer and of its office.'),
    run(
      sc,
      'failure',
      NAME,
      'reset=',
      String(DAY_SECONDS),
      'actions=',
      Array.from({ length: 3 }, () => `restart/${delay}`).join('/'),
    ),
    // Also after an exit code that the service host reports.
    run(sc, 'failureflag', NAME, '1'),
    { kind: 'folder', path: win32.join(dataFolder, 'logs') },
    ...(isNew
      ? [{ kind: 'write', path: win32.join(dataFolder, '.env'), text: FIRST_SETTINGS, mode: 0o600 } as const]
      : []),
    // Each account may make a folder there before the service does, and would own it.
    run(icacls, dataFolder, '/setowner', ADMINISTRATORS, '/T', '/C', '/Q'),
    run(icacls, dataFolder, '/reset', '/T', '/C', '/Q'),
    run(icacls, dataFolder, '/inheritance:r', ...grants(), '/Q'),
    {
      kind: 'write',
      path: win32.join(program, 'service.env'),
      text: commandSettings(dataFolder),
      mode: 0o644,
    },
    windowsService(folders).startStep,
  ];
}

/** Returns the steps that stop the service until the next start of the computer. */
export function windowsStop(folders: WindowsFolders): Step[] {
  const sc = systemProgram(folders, 'sc.exe');
  return [
    // Fails where it is stopped already.
    tryRun(sc, 'stop', NAME),
    { kind: 'until-shows', program: sc, words: ['query', NAME], text: 'STOPPED' },
  ];
}

/** Returns the steps that take the service away. Its data stays. */
export function windowsRemoval(program: string, folders: WindowsFolders): Step[] {
  return [
    ...windowsStop(folders),
    run(systemProgram(folders, 'sc.exe'), 'delete', NAME),
    { kind: 'remove', path: win32.join(program, 'service.env') },
  ];
}

function grants(): string[] {
  return [SYSTEM, ADMINISTRATORS, ACCOUNT].flatMap((who) => ['/grant:r', `${who}${ALL_BELOW}`]);
}

/** Command line of the service host: the name of the service, its file for errors, and the gateway. */
function commandOf({ program, dataFolder, port }: ServiceSpec, folders: WindowsFolders): string {
  return [
    quoted(win32.join(program, 'bin', 'faxdesk-service.exe')),
    NAME,
    quoted(windowsService(folders).log(dataFolder)),
    quoted(win32.join(program, 'bin', 'node.exe')),
    ...NODE_OPTIONS,
    quoted(win32.join(program, 'server', 'faxdesk.mjs')),
    ...SERVE,
    '--data',
    quoted(dataFolder),
    ...(port === null ? [] : ['--port', String(port)]),
  ].join(' ');
}

/** Paths of Windows hold no quotation marks; a backslash before the last one would take it away. */
const quoted = (path: string) => `"${path.replace(/\\+$/u, '')}"`;
