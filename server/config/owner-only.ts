import { lstat } from 'node:fs/promises';
import { closeFolder } from './owner-only-posix.ts';
import { closeWindowsFolder, runSystemTool, type SystemTool } from './owner-only-windows.ts';

/** Result of closing the data folder to other accounts of this computer. */
export interface ClosedFolder {
  /** Names in the data folder that others could open and no longer can; `.` is the folder itself. */
  readonly closed: readonly string[];
  /** Paths that others can still open, with the reason: whole sentences for a person. */
  readonly warnings: readonly string[];
}

/**
 * Folders that a telephone engine under another account shares with the gateway through the group of the folder, and in
 * which scanners and other systems leave documents to import. The rights of the group there stay unchanged.
 */
const SHARED_FOLDERS: ReadonlySet<string> = new Set(['inbound', 'telephony', 'import']);

/** From here on, whatever this process makes is for its own account alone. To be called before anything is made. */
export function makeForOwnerOnly(): void {
  process.umask(0o077);
}

/**
 * Closes an existing data folder and what is in it to all accounts but that of this process: mode 0700 and 0600, on Windows
 * an access list that names this account, the system and the administrators. What cannot be closed is a warning, since
 * refusing to start would close nothing. Links are not followed.
 */
export async function closeDataFolder(
  dataFolder: string,
  system: { platform: NodeJS.Platform; runTool: SystemTool } = {
    platform: process.platform,
    runTool: runSystemTool,
  },
): Promise<ClosedFolder> {
  if ((await lstat(dataFolder).catch(() => null)) === null) return { closed: [], warnings: [] };
  if (system.platform === 'win32') return closeWindowsFolder(dataFolder, SHARED_FOLDERS, system.runTool);
  return closeFolder(dataFolder, SHARED_FOLDERS);
}
