import type { OwnGateway } from '../gateway.ts';

/** Longest wait for a moment in which no fax is being sent, in milliseconds. */
const IDLE_TIMEOUT_MS = 10 * 60_000;

interface InstallParts {
  readonly gateway: Pick<
    OwnGateway,
    'isAlive' | 'submitting' | 'on' | 'off' | 'suspend' | 'resume' | 'backUp' | 'start' | 'stop'
  >;
  /** Opens a file in the program of the system for it. Returns why it could not, or an empty text. */
  readonly open: (file: string) => Promise<string>;
  readonly quit: () => void;
}

const BUSY = 'A fax is still being sent. Nothing was installed. Try again in a few minutes.';
const noBackup = (reason: string) =>
  `The backup before the installation could not be made, so nothing was installed. ${reason}`;
const notOpened = (reason: string) =>
  `The installer could not be opened (${reason}). Nothing was installed, and Faxdesk works as before.`;

/** Returns true for an installer that replaces the application once it is opened; an AppImage is a program itself. */
export const isInstallable = (file: string): boolean => /\.(?:exe|dmg)$/u.test(file);

/**
 * Waits until no fax is being sent, makes a backup, stops the gateway, opens the installer and quits: an installer stops every
 * program of the application, also in the middle of a fax. Returns a sentence where it does not get that far; the gateway
 * works on then.
 */
export async function installNow(
  file: string,
  { gateway, open, quit }: InstallParts,
): Promise<string | null> {
  // The window may be that of another computer's gateway.
  const isOwn = gateway.isAlive;
  if (isOwn) {
    if (!(await becomesIdle(gateway))) return BUSY;
    await gateway.suspend();
    const problem = await gateway.backUp();
    if (problem !== null) {
      gateway.resume();
      return noBackup(problem);
    }
    await gateway.stop();
  }
  const reason = await open(file);
  if (reason === '') {
    quit();
    return null;
  }
  if (isOwn) await gateway.start();
  return notOpened(reason);
}

/** Resolves with true as soon as no fax is being sent, and with false when that takes too long. */
function becomesIdle(gateway: InstallParts['gateway']): Promise<boolean> {
  if (!gateway.submitting) return Promise.resolve(true);
  return new Promise((resolve) => {
    const settle = (isIdle: boolean) => {
      clearTimeout(timer);
      gateway.off('submitting', listen);
      resolve(isIdle);
    };
    const listen = (submitting: boolean) => !submitting && settle(true);
    const timer = setTimeout(() => settle(false), IDLE_TIMEOUT_MS);
    gateway.on('submitting', listen);
  });
}
