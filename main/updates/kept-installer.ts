import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fits } from './download.ts';
import type { Installer } from './update-record.ts';

/** Moves an installer into the folder for the one that is kept. Returns null for one that is gone or damaged. */
export async function keepInstaller(installer: Installer, folder: string): Promise<Installer | null> {
  const file = join(folder, basename(installer.file));
  // Moved by a start that ended before it was recorded.
  if (await fits(file, installer)) return { ...installer, file };
  if (!(await fits(installer.file, installer))) return null;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await rename(installer.file, file);
  return { ...installer, file };
}

/** Removes every other installer from the folder. */
export async function removeOthers(kept: Installer | null, folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names)
    if (kept === null || name !== basename(kept.file)) await rm(join(folder, name), { force: true });
}
