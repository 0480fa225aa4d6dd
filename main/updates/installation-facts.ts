import { existsSync } from 'node:fs';
import { mkdtemp, rmdir } from 'node:fs/promises';
import { version as systemName } from 'node:os';
import { join } from 'node:path';
import { app } from 'electron';
import { windowsSession } from '../environment.ts';
import type { InstallationFacts } from './installation-check.ts';

/** Returns the facts of this computer. */
export function readInstallation(): InstallationFacts {
  return {
    platform: process.platform,
    program: app.getPath('exe'),
    ...windowsSession(),
    systemName: systemName(),
    exists: existsSync,
    canWrite,
  };
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
