import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rmdir } from 'node:fs/promises';
import { version as systemName } from 'node:os';
import { dirname, join } from 'node:path';
import { app } from 'electron';
import { appImagePath, windowsSession } from '../environment.ts';
import { INSTALLED_FOR, type InstallationFacts, type MacPlace } from './installation-check.ts';

/** Returns the facts of this computer. */
export function readInstallation(): InstallationFacts {
  const { program, ...place } = readMacPlace();
  return {
    program,
    ...place,
    appImage: appImagePath(),
    ...windowsSession(),
    installedFor: readScope(join(resourcesFolder(), INSTALLED_FOR)),
    systemName: systemName(),
    exists: existsSync,
    canWrite,
  };
}

/** Returns where the program of this application lies. */
export function readMacPlace(): MacPlace {
  const isMac = process.platform === 'darwin';
  return {
    platform: process.platform,
    program: app.getPath('exe'),
    downloads: isMac ? app.getPath('downloads') : null,
    isInApplications: isMac && app.isInApplicationsFolder(),
  };
}

/** Folder beside the program on Windows and Linux, which the installer fills. */
export const resourcesFolder = (): string => join(dirname(app.getPath('exe')), 'resources');

function readScope(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return null;
  }
}

/** The permissions of Windows and of network drives show only in a try. */
async function canWrite(folder: string): Promise<boolean> {
  try {
    await rmdir(await mkdtemp(join(folder, '.faxdesk-')));
    return true;
  } catch {
    return false;
  }
}
