import { existsSync, realpathSync } from 'node:fs';
import { homedir, platform } from 'node:os';
import { join, resolve, sep } from 'node:path';
import { findDataFolder } from '../shared/data-folder.ts';

/** The application's own file when it runs from an AppImage: its other paths are gone when it ends. Null elsewhere. */
export function appImagePath(): string | null {
  const { APPIMAGE, APPDIR } = process.env;
  // A program from another AppImage that starts Faxdesk leaves its own there.
  return APPIMAGE && APPDIR && isBelow(process.execPath, APPDIR) ? APPIMAGE : null;
}

function isBelow(path: string, folder: string): boolean {
  return existsSync(folder) && path.startsWith(realpathSync(folder) + sep);
}

/** Returns the environment for a start of the AppImage anew, without what belongs to the running one. */
export function environmentOutsideAppImage(): NodeJS.ProcessEnv {
  const { APPDIR, APPIMAGE: _, ARGV0: __, OWD: ___, ...others } = process.env;
  if (!APPDIR) return others;
  const entries = Object.entries(others).map(([name, value = '']) => {
    const parts = value.split(':');
    const kept = parts.filter((part) => part !== APPDIR && !part.startsWith(`${APPDIR}/`));
    return [name, kept.length === parts.length ? value : kept.join(':')];
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== '')) as NodeJS.ProcessEnv;
}

/** Returns the environment of a process that needs none: Windows starts no process without the folder of its system. */
export function minimalEnvironment(): Record<string, string> {
  const { SystemRoot } = process.env;
  return process.platform === 'win32' && SystemRoot !== undefined ? { SystemRoot } : {};
}

/** `FAXDESK_UPDATES`, as a person or program that starts the application set it. */
export function updatesVariable(): string | undefined {
  return process.env['FAXDESK_UPDATES'];
}

/** Name of the session and folder of the account's own data, on Windows. */
export function windowsSession(): { session: string | undefined; localAppData: string | undefined } {
  return { session: process.env['SESSIONNAME'], localAppData: process.env['LOCALAPPDATA'] };
}

/** Folder for data of applications that stays on the computer when the profile of the account roams. Null but on Windows. */
export function localAppData(): string | null {
  if (platform() !== 'win32') return null;
  return process.env['LOCALAPPDATA']?.trim() || join(homedir(), 'AppData', 'Local');
}

/** Returns the environment of this process with further variables, for a program of the system. */
export function environmentWith(further: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { ...process.env, ...further };
}

/** Folder of Windows. */
export function systemFolder(): string | undefined {
  return process.env['SystemRoot'];
}

/** Folder of the programs of all accounts, on Windows. */
export function programFiles(): string | undefined {
  return process.env['ProgramFiles'];
}

/** Finds the data folder of this computer's gateway as the command line does: `FAXDESK_DATA`, else the place of this account. */
export function dataFolder(): string {
  const named = process.env['FAXDESK_DATA']?.trim();
  if (named) return resolve(named);
  const { platform: system, env: environment } = process;
  return findDataFolder({ platform: system, home: homedir(), environment, join, exists: existsSync }).folder;
}
