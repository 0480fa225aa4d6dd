import { appImagePath } from '../environment.ts';
import type { OwnGateway } from '../gateway.ts';
import { fits } from './download.ts';
import type { Installer } from './update-record.ts';

/** Longest wait for a moment in which no fax is being sent, in milliseconds. */
const IDLE_TIMEOUT_MS = 10 * 60_000;

interface InstallParts {
  readonly gateway: Pick<
    OwnGateway,
    'isAlive' | 'submitting' | 'on' | 'off' | 'suspend' | 'resume' | 'backUp' | 'start' | 'stop' | 'restart'
  >;
  /** No fax is being sent, and no work is taken any more. */
  readonly onBegin: () => void;
  /** Records the installation, durably, with its backup; with null that there is none under way. */
  readonly record: (begun: { backup: string | null } | null) => Promise<void>;
  /** Opens an installer, or puts an AppImage in its place. Returns why it could not, or an empty text. */
  readonly open: (installer: Installer) => Promise<string>;
  readonly quit: () => void;
}

const BUSY = 'A fax is still being sent. Nothing was installed. Try again in a few minutes.';
const DAMAGED =
  'The installer on this computer was changed after its download, so nothing was installed. Faxdesk downloads it again.';
const NOT_RECORDED =
  'Faxdesk could not write to its own folder, so nothing was installed. Check that the disk is not full.';
const noBackup = (reason: string) =>
  `The backup before the installation could not be made, so nothing was installed. ${reason}`;
const notOpened = (file: string, reason: string) =>
  `${isAppImage(file) ? 'The new version could not be put in its place' : 'The installer could not be opened'} (${reason}). Nothing was installed, and Faxdesk works as before.`;

export const isAppImage = (file: string): boolean => file.endsWith('.AppImage');

/** Returns true for an installer that replaces the application once it is opened, and for an AppImage where one runs. */
export const isInstallable = (file: string): boolean =>
  /\.(?:exe|dmg)$/u.test(file) || (isAppImage(file) && appImagePath() !== null);

/**
 * Waits until no fax is being sent, stops the gateway, makes a backup, records the installation, opens the installer and quits: an
 * installer stops every program of the application, also in the middle of a fax. Returns a sentence where it does not get that far;
 * the gateway works on then.
 */
export async function installNow(installer: Installer, parts: InstallParts): Promise<string | null> {
  const { gateway, onBegin, record, open, quit } = parts;
  if (!(await fits(installer.file, installer).catch(() => false))) return DAMAGED;
  // The window may be that of another computer's gateway.
  const isOwn = gateway.isAlive;
  let backup: string | null = null;
  if (isOwn) {
    if (!(await suspendWhenIdle(gateway))) return BUSY;
    onBegin();
    const { problem, isStopped, file } = await gateway.backUp();
    if (problem !== null) {
      if (isStopped) await gateway.restart();
      else gateway.resume();
      return noBackup(problem);
    }
    backup = file;
    await gateway.stop();
  }
  const problem = await record({ backup }).then(
    () => openUnchanged(installer, open),
    () => null,
  );
  if (problem === '') {
    quit();
    return null;
  }
  await record(null).catch(() => {});
  if (isOwn) await gateway.start();
  return problem === null ? NOT_RECORDED : notOpened(installer.file, problem);
}

/** Opens the file whose publisher was checked: the backup takes long enough for another to lie there. */
async function openUnchanged(installer: Installer, open: InstallParts['open']): Promise<string> {
  const isUnchanged = await fits(installer.file, installer).catch(() => false);
  return isUnchanged ? open(installer) : 'it was changed after its download';
}

/** Resolves with true when no fax is being sent and none begins any more, and with false when that takes too long. */
async function suspendWhenIdle(gateway: InstallParts['gateway']): Promise<boolean> {
  const end = performance.now() + IDLE_TIMEOUT_MS;
  while (await becomesIdle(gateway, end - performance.now())) {
    await gateway.suspend();
    if (!gateway.submitting) return true;
    // One began in the last moment, and takes long.
    gateway.resume();
  }
  return false;
}

function becomesIdle(gateway: InstallParts['gateway'], ms: number): Promise<boolean> {
  if (!gateway.submitting) return Promise.resolve(true);
  return new Promise((resolve) => {
    const settle = (isIdle: boolean) => {
      clearTimeout(timer);
      gateway.off('submitting', listen);
      resolve(isIdle);
    };
    const listen = (submitting: boolean) => !submitting && settle(true);
    const timer = setTimeout(() => settle(false), Math.max(0, ms));
    gateway.on('submitting', listen);
  });
}
