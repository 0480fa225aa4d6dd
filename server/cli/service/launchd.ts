import { posix } from 'node:path';
import {
  commandSettings,
  FIRST_SETTINGS,
  NODE_OPTIONS,
  RESTART_SECONDS,
  SERVE,
  type ServiceSpec,
  STOP_SECONDS,
} from './plan.ts';
import { run, type Step, tryRun } from './steps.ts';

const LABEL = 'org.faxdesk.desktop.gateway';
const TARGET = `system/${LABEL}`;
const FOLDER = '/Library/Application Support/Faxdesk';
/** Copy of the program that belongs to root: a person may own the application, and replace it while the service runs. */
const PROGRAM = posix.join(FOLDER, 'program');
const LOGS = '/Library/Logs/Faxdesk';
const PLIST = `/Library/LaunchDaemons/${LABEL}.plist`;
const ACCOUNT = '_faxdesk';
const COMMAND = '/usr/local/bin/faxdesk';
/** Mask of the rights of new files, as the property list has it. */
const OWNER_ONLY = 0o077;
export const ROOT_ID = 0;

const LAUNCHCTL = '/bin/launchctl';
const DSCL = '/usr/bin/dscl';
const CHOWN = '/usr/sbin/chown';
const CHMOD = '/bin/chmod';

export const MAC_SERVICE = {
  dataFolder: posix.join(FOLDER, 'data'),
  program: PROGRAM,
  plist: PLIST,
  log: posix.join(LOGS, 'service.log'),
  command: COMMAND,
  startStep: run(LAUNCHCTL, 'bootstrap', 'system', PLIST),
  /** Succeeds while the service is loaded. */
  question: { program: LAUNCHCTL, words: ['print', TARGET] },
  accountQuestion: { program: DSCL, words: ['.', '-read', `/Users/${ACCOUNT}`, 'UniqueID'] },
  idsQuestions: [
    { program: DSCL, words: ['.', '-list', '/Users', 'UniqueID'] },
    { program: DSCL, words: ['.', '-list', '/Groups', 'PrimaryGroupID'] },
  ],
} as const;

interface MacFacts {
  /** Number for the new account of the service; null where there is one already. */
  readonly newAccountId: number | null;
  /** Numbers of root and of the account of the service, where there is one. */
  readonly owners: readonly number[];
  /** Loaded, or stopped until the computer starts again. */
  readonly exists: boolean;
  /** False where a person has another program at that name, or owns the folder. */
  readonly mayLinkCommand: boolean;
  readonly hasCommandFolder: boolean;
}

/** Returns a number that no account and no group has, among those for accounts of services. Null where all are taken. */
export function freeAccountId(lists: readonly string[]): number | null {
  const taken = new Set(lists.flatMap((list) => list.match(/-?\d+\s*$/gmu) ?? []).map(Number));
  for (let id = 499; id >= 450; id -= 1) if (!taken.has(id)) return id;
  return null;
}

/** Returns the steps that make or renew the daemon of launchd. */
export function launchdSteps(spec: ServiceSpec, facts: MacFacts): Step[] {
  const draft = `${PROGRAM}.new`;
  const { dataFolder } = spec;
  return [
    { kind: 'require-trusted', path: FOLDER, owners: [ROOT_ID] },
    { kind: 'require-trusted', path: LOGS, owners: facts.owners },
    { kind: 'require-trusted', path: dataFolder, owners: facts.owners },
    ...(facts.newAccountId === null ? [] : accountSteps(String(facts.newAccountId))),
    { kind: 'folder', path: FOLDER },
    run(CHOWN, 'root:wheel', FOLDER),
    run(CHMOD, '755', FOLDER),
    { kind: 'remove', path: draft },
    { kind: 'copy', from: spec.program, to: draft },
    { kind: 'write', path: posix.join(draft, 'service.env'), text: commandSettings(dataFolder), mode: 0o644 },
    run(CHOWN, '-R', 'root:wheel', draft),
    run(CHMOD, '-R', 'u=rwX,go=rX', draft),
    ...(facts.exists ? stopSteps() : []),
    { kind: 'remove', path: PROGRAM },
    { kind: 'move', from: draft, to: PROGRAM },
    ...ownFolder(LOGS, '750'),
    ...dataSteps(spec, facts),
    ...(spec.isNew
      ? [{ kind: 'write', path: posix.join(dataFolder, '.env'), text: FIRST_SETTINGS, mode: 0o600 } as const]
      : []),
    ...ownFolder(dataFolder, '700'),
    { kind: 'write', path: PLIST, text: plistOf(spec), mode: 0o644 },
    run(CHOWN, 'root:wheel', PLIST),
    run(LAUNCHCTL, 'enable', TARGET),
    MAC_SERVICE.startStep,
    ...(facts.mayLinkCommand ? linkSteps(facts) : []),
  ];
}

/** Makes the data folder, or refuses content of other accounts in one that was made by something else. */
function dataSteps({ dataFolder, found }: ServiceSpec, { owners }: MacFacts): Step[] {
  if (found === 'own') return [];
  if (found === 'none') return [{ kind: 'new-folder', path: dataFolder }];
  return [run(CHMOD, '700', dataFolder), { kind: 'require-trusted', path: dataFolder, owners, isDeep: true }];
}

/** Returns the steps that take the daemon away. Data, logs and the account stay. */
export function launchdRemoval(facts: Pick<MacFacts, 'exists' | 'mayLinkCommand'>): Step[] {
  return [
    ...(facts.exists ? stopSteps() : []),
    { kind: 'remove', path: PLIST },
    { kind: 'remove', path: PROGRAM },
    ...(facts.mayLinkCommand ? [{ kind: 'remove', path: COMMAND } as const] : []),
  ];
}

/** Returns the steps that stop the daemon until the next start of the computer. */
export function stopSteps(): Step[] {
  return [
    tryRun(LAUNCHCTL, 'bootout', TARGET),
    { kind: 'until-fails', program: LAUNCHCTL, words: ['print', TARGET] },
  ];
}

function accountSteps(id: string): Step[] {
  const [group, user] = [`/Groups/${ACCOUNT}`, `/Users/${ACCOUNT}`];
  const values = {
    UniqueID: id,
    PrimaryGroupID: id,
    UserShell: '/usr/bin/false',
    NFSHomeDirectory: '/var/empty',
    RealName: 'Faxdesk gateway',
    IsHidden: '1',
    Password: '*',
  };
  return [
    run(DSCL, '.', '-create', group),
    run(DSCL, '.', '-create', group, 'PrimaryGroupID', id),
    run(DSCL, '.', '-create', group, 'Password', '*'),
    run(DSCL, '.', '-create', user),
    ...Object.entries(values).map(([name, value]) => run(DSCL, '.', '-create', user, name, value)),
  ];
}

function ownFolder(path: string, mode: string): Step[] {
  return [{ kind: 'folder', path }, run(CHOWN, '-R', `${ACCOUNT}:${ACCOUNT}`, path), run(CHMOD, mode, path)];
}

function linkSteps({ hasCommandFolder }: MacFacts): Step[] {
  const path = posix.dirname(COMMAND);
  return [
    ...(hasCommandFolder ? [] : [{ kind: 'folder', path } as const, run(CHMOD, '755', path)]),
    run('/bin/ln', '-sfn', posix.join(PROGRAM, 'bin', 'faxdesk'), COMMAND),
  ];
}

/**
 * Returns the property list. launchd distinguishes only success from failure: `--as-service` ends the gateway with success where it
 * would fail in the same way again, and so it stays stopped.
 */
function plistOf({ dataFolder, port }: ServiceSpec): string {
  const words = [
    posix.join(PROGRAM, 'bin', 'node'),
    ...NODE_OPTIONS,
    posix.join(PROGRAM, 'server', 'faxdesk.mjs'),
    ...SERVE,
    '--data',
    dataFolder,
    ...(port === null ? [] : ['--port', String(port)]),
  ];
  const values = {
    Label: LABEL,
    ProgramArguments: words,
    UserName: ACCOUNT,
    GroupName: ACCOUNT,
    WorkingDirectory: dataFolder,
    RunAtLoad: true,
    KeepAlive: { SuccessfulExit: false },
    ThrottleInterval: RESTART_SECONDS,
    ExitTimeOut: STOP_SECONDS,
    ProcessType: 'Standard',
    Umask: OWNER_ONLY,
    EnvironmentVariables: { NODE_DISABLE_COMPILE_CACHE: '1' },
    StandardOutPath: '/dev/null',
    StandardErrorPath: MAC_SERVICE.log,
  };
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
${elementOf(values)}
</plist>
`;
}

type PlistValue = string | number | boolean | readonly PlistValue[] | { readonly [name: string]: PlistValue };

function elementOf(value: PlistValue): string {
  if (typeof value === 'string') return `<string>${escapeXml(value)}</string>`;
  if (typeof value === 'number') return `<integer>${value}</integer>`;
  if (typeof value === 'boolean') return value ? '<true/>' : '<false/>';
  if (Array.isArray(value)) return `<array>\n${value.map(elementOf).join('\n')}\n</array>`;
  const entries = Object.entries(value as Readonly<Record<string, PlistValue>>);
  return `<dict>\n${entries.map(([key, it]) => `<key>${key}</key>\n${elementOf(it)}`).join('\n')}\n</dict>`;
}

const escapeXml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
