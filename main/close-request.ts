import { existsSync, watch } from 'node:fs';
import { join } from 'node:path';
import { INSTALLED_FOR } from './updates/installation-check.ts';

/** Left by the installer of Windows in the folder that it is about to change, as `resources/windows/installer.nsh` names it. */
export const CLOSE_REQUEST = 'close-requested';

/**
 * Calls `quit` when the installer needs this Faxdesk closed, in whichever account and session it runs. A file from before is one of an
 * installer that has ended. An account that can write into the folder could replace the program itself.
 */
export function watchCloseRequest(folder: string, quit: () => void): void {
  if (!existsSync(join(folder, INSTALLED_FOR))) return;
  try {
    const watcher = watch(folder, { persistent: false }, (_, name) => {
      if (name === CLOSE_REQUEST && existsSync(join(folder, CLOSE_REQUEST))) quit();
    });
    // A folder that was removed or lies on a network drive that is gone.
    watcher.on('error', () => watcher.close());
  } catch {
    // The installer names the program, and a person closes it.
  }
}
