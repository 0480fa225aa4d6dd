import { mkdtemp, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, win32 } from 'node:path';

/** Runs a program of the system with further environment variables. Rejects when it cannot be started or takes too long. */
export type RunProgram = (
  program: string,
  words: readonly string[],
  environment?: Readonly<Record<string, string>>,
) => Promise<{ readonly isFailed: boolean; readonly output: string }>;

interface PublisherParts {
  readonly platform: string;
  /** Absolute path of the running program. */
  readonly program: string;
  /** Folder of Windows. */
  readonly systemFolder: string | undefined;
  /** True when the installer is known to come from the makers by their own key: its publisher may have a new name then. */
  readonly isFromMakers: boolean;
  readonly run: RunProgram;
}

/** Outcome of the check; `unknown` where the system could not make it. */
export type PublisherCheck = 'confirmed' | 'refused' | 'unknown';

/**
 * Has the operating system check who published an installer: a downloaded file is opened without the check that a browser causes.
 * Confirms every one where the running program itself is not signed.
 */
export async function checkPublisher(file: string, parts: PublisherParts): Promise<PublisherCheck> {
  try {
    if (parts.platform === 'win32') return await checkOnWindows(file, parts);
    if (parts.platform === 'darwin') return await checkOnMac(file, parts);
    return 'confirmed';
  } catch {
    return 'unknown';
  }
}

/** Prints both states, and `True` where both have the same publisher. The names are compared here: a console garbles them. */
const SCRIPT = [
  "$ErrorActionPreference = 'Stop'",
  '$own = Get-AuthenticodeSignature -LiteralPath $env:FAXDESK_PROGRAM',
  '$new = Get-AuthenticodeSignature -LiteralPath $env:FAXDESK_INSTALLER',
  '"$($own.Status) $($new.Status) $($own.SignerCertificate.Subject -ceq $new.SignerCertificate.Subject)"',
].join('; ');

async function checkOnWindows(file: string, parts: PublisherParts): Promise<PublisherCheck> {
  const { program, systemFolder = 'C:\\Windows', isFromMakers, run } = parts;
  // By its path: a program of the same name may lie in a folder of the search path.
  const powerShell = win32.join(systemFolder, 'System32', 'WindowsPowerShell', 'v1.0', 'powershell.exe');
  const { isFailed, output } = await run(
    powerShell,
    ['-NoProfile', '-NonInteractive', '-Command', SCRIPT],
    // Modules of a newer PowerShell, from which the application was started, do not load in this one.
    { FAXDESK_PROGRAM: program, FAXDESK_INSTALLER: file, PSModulePath: '' },
  );
  const [, own, installer, isSame] = /^(\w+) (\w+) (True|False)\s*$/u.exec(output) ?? [];
  if (isFailed || own === undefined) return 'unknown';
  if (own === 'NotSigned') return 'confirmed';
  return installer === 'Valid' && (isFromMakers || isSame === 'True') ? 'confirmed' : 'refused';
}

/** Programs that Apple has given a certificate for distribution. */
const ANY_DEVELOPER =
  'anchor apple generic and certificate 1[field.1.2.840.113635.100.6.2.6] exists and certificate leaf[field.1.2.840.113635.100.6.1.13] exists';

async function checkOnMac(
  file: string,
  { program, isFromMakers, run }: PublisherParts,
): Promise<PublisherCheck> {
  const [bundle = program] = /^.*?\.app(?=\/)/u.exec(program) ?? [];
  const own = await run('/usr/bin/codesign', ['--display', '--requirements', '-', bundle]);
  const [, designated = ''] = /designated => (.+)/u.exec(own.output) ?? [];
  const isUnsigned = own.isFailed && own.output.includes('not signed at all');
  if (own.isFailed && !isUnsigned) return 'unknown';
  // Signed for trying out on the computer that made it.
  if (isUnsigned || !designated.includes('anchor ')) return 'confirmed';
  const requirement = isFromMakers ? ANY_DEVELOPER : designated;
  const isConfirmed = await withDiskImage(file, run, async (folder) => {
    const words = ['--verify', '--deep', '--strict', '-R', `=${requirement}`, join(folder, 'Faxdesk.app')];
    return !(await run('/usr/bin/codesign', words)).isFailed;
  });
  return isConfirmed ? 'confirmed' : 'refused';
}

/** Opens a disk image where no one sees it, for the program in it: the image itself is not signed. */
async function withDiskImage<T>(
  file: string,
  run: RunProgram,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'faxdesk-'));
  try {
    const words = ['attach', '-nobrowse', '-noautoopen', '-readonly', '-mountpoint', folder, file];
    if ((await run('/usr/bin/hdiutil', words)).isFailed) throw new Error('the disk image cannot be opened');
    try {
      return await work(folder);
    } finally {
      await run('/usr/bin/hdiutil', ['detach', '-force', folder]);
    }
  } finally {
    await rmdir(folder).catch(() => {});
  }
}
