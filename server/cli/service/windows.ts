import { createHash } from 'node:crypto';
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
import type { TrustStep } from './trusted-folder.ts';

const NAME = 'Faxdesk';
/** Account that Windows makes for the service alone. */
const ACCOUNT = `NT SERVICE\\${NAME}`;
const SYSTEM = '*S-1-5-18';
const ADMINISTRATORS = '*S-1-5-32-544';
const SERVICE_SID = serviceSid(NAME);
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
    // Before the service is entered: a service that exists has its data folder.
    ...folderSteps(spec, folders),
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
    run(icacls, dataFolder, '/setowner', ADMINISTRATORS, '/T', '/C', '/Q'),
    run(icacls, dataFolder, '/inheritance:r', ...grants(SYSTEM, ADMINISTRATORS, ACCOUNT), '/Q'),
    // The folder itself never has the rights of the one above it: each account may make files there.
    run(icacls, win32.join(dataFolder, '*'), '/reset', '/T', '/C', '/Q'),
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

/**
 * Closes the data folder to all but administrators, and refuses content of other accounts: each account may make a folder in
 * `ProgramData`, and files in one that an administrator has made there.
 */
function folderSteps({ dataFolder, found }: ServiceSpec, folders: WindowsFolders): Step[] {
  const icacls = systemProgram(folders, 'icacls.exe');
  const close = run(icacls, dataFolder, '/inheritance:r', ...grants(SYSTEM, ADMINISTRATORS), '/Q');
  const folder = { kind: 'require-trusted', path: dataFolder, owners: [0] } as const;
  const everything = { ...folder, isDeep: true } as const;
  if (found === 'own') return [folder, foreignQuestion(dataFolder, folders, 'content'), everything];
  if (found === 'none')
    return [
      { kind: 'new-folder', path: dataFolder },
      run(icacls, dataFolder, '/setowner', ADMINISTRATORS, '/Q'),
      close,
      folder,
      { kind: 'require-empty', path: dataFolder },
    ];
  return [
    ...ownerSteps(dataFolder, folders),
    run(icacls, dataFolder, '/reset', '/Q'),
    close,
    everything,
    foreignQuestion(dataFolder, folders, 'everything'),
  ];
}

/** Returns the steps that refuse a data folder that is a link, or whose owner could change what the service does. */
export function ownerSteps(dataFolder: string, folders: WindowsFolders): TrustStep[] {
  return [
    { kind: 'require-trusted', path: dataFolder, owners: [0] },
    foreignQuestion(dataFolder, folders, 'folder'),
  ];
}

/** Reach of a question: the folder alone, with what is directly in it (a service may have many documents), or everything in it. */
type Reach = 'folder' | 'content' | 'everything';

/** Prints the first entry whose owner is neither the system nor the administrators nor the service: no other program of Windows names owners by their numbers. */
function foreignQuestion(path: string, folders: WindowsFolders, reach: Reach): TrustStep {
  const literal = `-LiteralPath '${path.replaceAll(/['\u2018\u2019\u201A\u201B]/gu, '$&$&')}' -Force`;
  const entries = {
    folder: `Get-Item ${literal}`,
    content: `& { Get-Item ${literal}; Get-ChildItem ${literal} }`,
    everything: `Get-ChildItem ${literal} -Recurse`,
  };
  const script = [
    "$ErrorActionPreference = 'Stop'",
    // A report of progress would be an answer.
    "$ProgressPreference = 'SilentlyContinue'",
    // Modules of another PowerShell, which may have started this command, do not load.
    String.raw`$env:PSModulePath = $PSHOME + '\Modules'`,
    `${entries[reach]} | Where-Object { (Get-Acl -LiteralPath $_.FullName).Sddl -notmatch '^O:(BA|SY|${SERVICE_SID})G:' } | Select-Object -First 1 -ExpandProperty FullName`,
  ].join('; ');
  return {
    kind: 'require-no-answer',
    program: systemProgram(folders, String.raw`WindowsPowerShell\v1.0\powershell.exe`),
    words: ['-NoProfile', '-NonInteractive', '-Command', script],
    path,
  };
}

function grants(...accounts: string[]): string[] {
  return accounts.flatMap((who) => ['/grant:r', `${who}${ALL_BELOW}`]);
}

/** Returns the number of the account of a service, which Windows makes from its name. */
export function serviceSid(name: string): string {
  const hash = createHash('sha1').update(name.toUpperCase(), 'utf16le').digest();
  return ['S-1-5-80', ...[0, 4, 8, 12, 16].map((at) => hash.readUInt32LE(at))].join('-');
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
