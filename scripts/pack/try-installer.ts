import { execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { PackError } from './pack-error.ts';

// `node scripts/pack/try-installer.ts <kind> <installer>` installs the application without a window, starts it hidden, waits until its gateway
// answers, removes it, and fails where more than data is left. It changes the computer: for hosted runners and containers alone.

/** Kind of installer of the desktop application. */
interface InstallerKind {
  readonly install: (file: string) => void;
  readonly program: string;
  /** Files and keys of the registry that are there once it is installed, and gone with it. */
  readonly made: readonly string[];
  /** Returns further files that must be gone; called while the application is installed. */
  readonly listed?: () => readonly string[];
  /** Returns what only the running application makes; called after the removal. */
  readonly leftovers?: () => readonly string[];
  readonly remove: () => void;
  /** True where the removal has the running application quit. */
  readonly doesRemovalQuit?: true;
}

/** Account for which a container starts the application: as root Chromium refuses its sandbox. */
const PERSON = 'person';
const DISPLAY = ':99';
const HOME = homedir();

function run(program: string, ...words: string[]): void {
  execFileSync(program, words, { stdio: 'inherit' });
}

function runAsRoot(...words: [string, ...string[]]): void {
  if (process.getuid?.() === 0) run(...words);
  else run('sudo', ...words);
}

function linesOf(program: string, ...words: string[]): string[] {
  return execFileSync(program, words, { encoding: 'utf8' }).split('\n').filter(Boolean);
}

const LOCAL = process.env['LOCALAPPDATA'] ?? '';
const ACCOUNT_FOLDER = join(LOCAL, 'Programs', 'faxdesk');
/** Name of the product, also in `resources/windows/installer.nsh`. */
const ACCOUNT_PRODUCT = '79e4ed6f-e50b-5f56-8423-0786c6af13a9';
const START_MENU = join(process.env['APPDATA'] ?? '', 'Microsoft', 'Windows', 'Start Menu', 'Programs');

const account: InstallerKind = {
  install: (file) => run(file, '/S'),
  program: join(ACCOUNT_FOLDER, 'Faxdesk.exe'),
  made: [
    ACCOUNT_FOLDER,
    join(START_MENU, 'Faxdesk.lnk'),
    `HKCU\\Software\\${ACCOUNT_PRODUCT}`,
    `HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Uninstall\\${ACCOUNT_PRODUCT}`,
    String.raw`HKCU\Software\Classes\faxdesk`,
    String.raw`HKCU\Software\Classes\SystemFileAssociations\.pdf\shell\Faxdesk`,
  ],
  remove: () => run(join(ACCOUNT_FOLDER, 'Uninstall Faxdesk.exe'), '/S'),
  doesRemovalQuit: true,
};

const BUNDLE = '/Applications/Faxdesk.app';

/** Application of macOS, which is copied out of what it comes in. */
const bundle = (install: (file: string) => void): InstallerKind => ({
  install,
  program: join(BUNDLE, 'Contents/MacOS/Faxdesk'),
  made: [BUNDLE],
  leftovers: () =>
    [join(HOME, 'Library/LaunchAgents'), '/Library/LaunchDaemons'].flatMap((it) => namesIn(it, /faxdesk/u)),
  remove: () => run('rm', '-rf', BUNDLE),
});

function copyFromImage(file: string): void {
  const place = mkdtempSync(join(tmpdir(), 'faxdesk-image-'));
  run('hdiutil', 'attach', '-nobrowse', '-readonly', '-mountpoint', place, file);
  try {
    run('ditto', join(place, 'Faxdesk.app'), BUNDLE);
  } finally {
    run('hdiutil', 'detach', place);
  }
}

const IMAGE = join(HOME, 'Faxdesk.AppImage');
const autostart = () => namesIn(join(HOME, '.config/autostart'), /faxdesk/u);

const appImage: InstallerKind = {
  install: (file) => run('install', '-m', '755', file, IMAGE),
  program: IMAGE,
  made: [IMAGE],
  // An AppImage is mounted while it runs.
  leftovers: () => [...namesIn(tmpdir(), /^\.mount_Faxd/u), ...autostart()],
  remove: () => run('rm', IMAGE),
};

const linuxPackage = (
  kind: Pick<InstallerKind, 'install' | 'listed' | 'remove'>,
  made: readonly string[] = [],
): InstallerKind => ({
  ...kind,
  program: '/opt/Faxdesk/faxdesk',
  made: ['/opt/Faxdesk', ...made],
  leftovers: autostart,
});

/** Each kind by the word that the workflow calls it by. */
export const INSTALLER_KINDS: Readonly<Record<string, InstallerKind>> = {
  account,
  dmg: bundle(copyFromImage),
  zip: bundle((file) => run('ditto', '-x', '-k', file, '/Applications')),
  appimage: appImage,
  deb: linuxPackage(
    {
      install: (file) => runAsRoot('apt-get', 'install', '--yes', file),
      listed: () => linesOf('dpkg', '--listfiles', 'faxdesk-desktop'),
      remove: () => runAsRoot('apt-get', 'purge', '--yes', 'faxdesk-desktop'),
    },
    ['/etc/apparmor.d/faxdesk-desktop'],
  ),
  rpm: linuxPackage({
    install: (file) => runAsRoot('dnf', 'install', '--assumeyes', '--no-gpgchecks', file),
    listed: () => linesOf('rpm', '--query', '--list', 'faxdesk-desktop'),
    remove: () => runAsRoot('dnf', 'remove', '--assumeyes', 'faxdesk-desktop'),
  }),
};

function namesIn(folder: string, name: RegExp): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((it) => name.test(it))
    .map((it) => join(folder, it));
}

function isThere(place: string): boolean {
  if (!place.startsWith('HKCU\\')) return lstatSync(place, { throwIfNoEntry: false }) !== undefined;
  try {
    execFileSync('reg', ['query', place], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Tries until there is an answer; throws PackError when it takes too long. */
async function until(seconds: number, failure: () => string, isDone: () => unknown): Promise<void> {
  const end = performance.now() + seconds * 1000;
  while (!(await isDone())) {
    if (performance.now() > end) throw new PackError(failure());
    await pause(200);
  }
}

async function answers(running: string): Promise<boolean> {
  try {
    const { url } = JSON.parse(readFileSync(running, 'utf8')) as { url: string };
    return (await fetch(new URL('/health', url))).ok;
  } catch {
    return false;
  }
}

/** The account of a container, or null for the one that runs this. */
function otherAccount(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const [uid, gid] = ['--user', '--group'].map((word) => Number(linesOf('id', word, PERSON)[0]));
  return { uid: uid ?? 0, gid: gid ?? 0 };
}

interface Trial {
  /** Folder for the data of the application, which is empty. */
  readonly data: string;
  /** Time for each step. */
  readonly seconds: number;
  readonly account: { readonly uid: number; readonly gid: number } | null;
}

/**
 * Installs, starts and removes the application. Throws PackError where it is not there afterwards, its gateway does not answer or stop, or
 * more than its data is left.
 */
export async function tryInstaller(kind: InstallerKind, file: string, trial: Trial): Promise<void> {
  const { data, seconds } = trial;
  kind.install(resolve(file));
  const missing = [kind.program, ...kind.made].filter((it) => !isThere(it));
  if (missing.length > 0) throw new PackError(`Not installed: ${missing.join(', ')}.`);
  const listed = (kind.listed?.() ?? []).filter(isFile);

  await startAndStop(kind, trial);
  if (existsSync(runningFile(data))) throw new PackError('The gateway was ended, not stopped.');
  if (kind.doesRemovalQuit !== true) kind.remove();

  const left = () => [...[...kind.made, ...listed].filter(isThere), ...(kind.leftovers?.() ?? [])];
  // The uninstaller of Windows goes on after its program has ended.
  await until(
    seconds,
    () => `These are left: ${left().join(', ')}.`,
    () => left().length === 0,
  );
  if (!existsSync(join(data, 'faxdesk.sqlite'))) throw new PackError('The data is gone.');
}

const runningFile = (data: string) => join(data, 'gateway.json');

/** False for a folder, which other packages may have as well. */
const isFile = (path: string) => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === false;

async function startAndStop(kind: InstallerKind, { data, seconds, account: other }: Trial): Promise<void> {
  const home = other === null ? {} : { HOME: join('/home', PERSON) };
  const child = spawn(kind.program, ['--hidden'], {
    ...other,
    env: { ...process.env, ...home, FAXDESK_DATA: data },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  let hasEnded = false;
  for (const event of ['exit', 'error']) {
    child.once(event, () => {
      hasEnded = true;
    });
  }
  const isReady = async () => {
    if (hasEnded) throw new PackError('The application has ended by itself.');
    return await answers(runningFile(data));
  };
  try {
    await until(seconds, () => 'The gateway does not answer.', isReady);
    if (kind.doesRemovalQuit === true) kind.remove();
    else child.kill();
    await until(
      seconds,
      () => 'The application does not quit.',
      () => hasEnded,
    );
  } finally {
    if (!hasEnded) child.kill('SIGKILL');
  }
}

if (import.meta.main) {
  const [word = '', file = ''] = process.argv.slice(2);
  const kind = INSTALLER_KINDS[word];
  if (kind === undefined || !existsSync(file))
    throw new PackError(`Name one of ${Object.keys(INSTALLER_KINDS).join(', ')}, and its file.`);
  const display = process.platform === 'linux' ? spawn('Xvfb', [DISPLAY, '-ac'], { stdio: 'inherit' }) : null;
  try {
    if (display !== null) {
      process.env['DISPLAY'] = DISPLAY;
      await until(
        30,
        () => 'There is no display.',
        () => existsSync('/tmp/.X11-unix/X99'),
      );
    }
    const data = mkdtempSync(join(tmpdir(), 'faxdesk-data-'));
    const other = otherAccount();
    if (other !== null) chownSync(data, other.uid, other.gid);
    await tryInstaller(kind, file, { data, seconds: 120, account: other });
    console.log(`${file}: installed, started and removed`);
  } finally {
    display?.kill();
  }
}
