import { posix, win32 } from 'node:path';

/** Left by the installers of Windows in the folder of resources, with their scope. */
export const INSTALLED_FOR = 'installed-for';

/** Place of the running program, for macOS. */
export interface MacPlace {
  readonly platform: string;
  /** Absolute path of the running program. */
  readonly program: string;
  /** Folder of the person's downloads; null but on macOS. */
  readonly downloads: string | null;
  /** True in the folder of applications of the computer or the person. */
  readonly isInApplications: boolean;
}

/** Facts of the computer; a test plays them. */
export interface InstallationFacts extends MacPlace {
  /** Path of the AppImage that runs; null where none does. */
  readonly appImage: string | null;
  /** `SESSIONNAME` of Windows. */
  readonly session: string | undefined;
  /** Name of the system, such as `Windows Server 2022 Standard`. */
  readonly systemName: string;
  /** Folder of the person's own programs and data on Windows. */
  readonly localAppData: string | undefined;
  /** `account` or `everyone`, as the Windows installer has left it beside the program; null where it has not. */
  readonly installedFor: string | null;
  readonly exists: (path: string) => boolean;
  /** Tries to make something in a folder. */
  readonly canWrite: (folder: string) => Promise<boolean>;
}

/** Reason why a new version cannot be installed. `isFixed`: none can be while this program runs, so none is looked for. */
interface InstallationProblem {
  readonly sentence: string;
  readonly isFixed: boolean;
}

/** Reason on a computer at which several people work at once. */
export const SEVERAL_PEOPLE =
  'This computer is a server for several people, so Faxdesk installs no new versions here. Ask the person who manages it.';
const OTHER_INSTALLER =
  'This Faxdesk was not installed with its own installer, so it installs no new versions. Ask the person who manages this computer.';
const SYSTEM_PACKAGE =
  'This Faxdesk was installed with a package of the system, which brings its new versions as well. Ask the person who manages this computer.';
const REMOTE =
  'You are connected to this computer from another one, and an installation could end that connection’s programs. Install the new version at the computer itself.';
const FOR_EVERYONE =
  'This Faxdesk is installed for everyone who uses this computer. Only the person who manages it can install a new version.';
const DISK_IMAGE =
  'Faxdesk was opened from its disk image or from the folder of downloads, where it gets no new versions. Quit it, open it again, and choose Move to Applications.';
const noAccess = (folder: string) =>
  `Your account cannot change the folder of Faxdesk (${folder}), so no new version can be installed. Ask the person who manages this computer.`;

const MULTI_SESSION = /\b(?:server|multi-session|virtual desktops)\b/iu;
/** Remote Desktop and Citrix. */
const REMOTE_SESSION = /^(?:rdp|ica)-/iu;

/** Returns why a new version cannot be installed over the running one; null when it can. */
export async function installationProblem(facts: InstallationFacts): Promise<InstallationProblem | null> {
  const { platform, program, appImage } = facts;
  if (platform === 'win32') {
    const problem = problemOnWindows(facts);
    if (problem !== null) return problem;
  }
  // Packages of Linux put it there; an AppImage runs from a folder that is made for it.
  if (platform === 'linux' && appImage === null && /^\/(?:opt|usr)\//u.test(program))
    return { sentence: SYSTEM_PACKAGE, isFixed: true };
  if (isOutsideApplications(facts)) return { sentence: DISK_IMAGE, isFixed: true };
  const folder = folderOf(platform, appImage ?? program);
  return (await facts.canWrite(folder)) ? null : refusal(noAccess(folder));
}

/**
 * Returns true on macOS for a program that runs from a disk image, from the folder of downloads, or from the copy that macOS makes of a
 * program which was downloaded and never moved.
 */
export function isOutsideApplications({ platform, program, downloads, isInApplications }: MacPlace): boolean {
  if (platform !== 'darwin' || isInApplications) return false;
  if (/^\/Volumes\/|\/AppTranslocation\//u.test(program)) return true;
  return downloads !== null && program.startsWith(`${downloads}/`);
}

function problemOnWindows({
  program,
  session = '',
  systemName,
  localAppData,
  installedFor,
  exists,
}: InstallationFacts): InstallationProblem | null {
  if (MULTI_SESSION.test(systemName)) return { sentence: SEVERAL_PEOPLE, isFixed: true };
  // The installer leaves it beside the program; an MSI package or a copy has none.
  if (!exists(win32.join(win32.dirname(program), 'Uninstall Faxdesk.exe')))
    return { sentence: OTHER_INSTALLER, isFixed: true };
  if (installedFor === 'everyone') return { sentence: FOR_EVERYONE, isFixed: true };
  if (!isBelow(program, localAppData)) return refusal(FOR_EVERYONE);
  return REMOTE_SESSION.test(session) ? refusal(REMOTE) : null;
}

function isBelow(path: string, folder: string | undefined): boolean {
  if (folder === undefined || folder === '') return false;
  const below = win32.relative(folder.toLowerCase(), path.toLowerCase());
  return !below.startsWith('..') && !win32.isAbsolute(below);
}

/** The folder in which the installation is replaced; on macOS the one that holds `Faxdesk.app`. */
function folderOf(platform: string, program: string): string {
  if (platform === 'win32') return win32.dirname(program);
  const [, before] = (platform === 'darwin' && /^(.*)\/[^/]+\.app\//u.exec(program)) || [];
  return before ?? posix.dirname(program);
}

const refusal = (sentence: string): InstallationProblem => ({ sentence, isFixed: false });
