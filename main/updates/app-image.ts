import { spawn } from 'node:child_process';
import { constants, copyFile, mkdir, open, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { flushFolder } from '../owner-file.ts';
import { digestOf, fits } from './download.ts';
import type { Installer } from './update-record.ts';

/** Waits for the end of a process, ten minutes at most, and becomes the program. */
const START_LATER =
  'n=0; while kill -0 "$1" 2>/dev/null && [ $n -lt 3000 ]; do n=$((n+1)); sleep 0.2; done; exec "$2"';

const CAUSES: Readonly<Record<string, string>> = {
  EACCES: 'your account cannot change its folder',
  EPERM: 'your account cannot change its folder',
  EROFS: 'its folder can only be read',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk space of your account is full',
};

/**
 * Puts a version in the place of the AppImage that runs, under the same path and name: menus and the start at login go on with it. What
 * runs keeps the file that it has open. Returns why it could not, or an empty text; the AppImage is then as it was.
 */
export async function replaceAppImage(appImage: string, installer: Installer): Promise<string> {
  let draft: string | null = null;
  try {
    const place = await realpath(appImage);
    const { mode } = await stat(place);
    draft = draftOf(place);
    // Left by a computer that was switched off.
    await rm(draft, { force: true });
    await copyFile(installer.file, draft, constants.COPYFILE_EXCL);
    if (!(await fits(draft, installer))) throw new Error('it arrived damaged in its folder');
    await makeLast(draft, (mode & 0o777) | 0o100);
    await rename(draft, place);
    // From here on the new version is in its place: a power failure would at most bring the older one back.
    await flushFolder(dirname(place)).catch(() => {});
    return '';
  } catch (error) {
    if (draft !== null) await rm(draft, { force: true }).catch(() => {});
    const { code, message } = error as NodeJS.ErrnoException;
    return CAUSES[code ?? ''] ?? message;
  }
}

/** Removes what a computer that was switched off has left of a replacement, and in the folder for the installer that is kept. */
export async function cleanAppImage(appImage: string, folder: string): Promise<void> {
  await rm(draftOf(await realpath(appImage)), { force: true });
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((each) => each.endsWith('.AppImage.new')))
    await rm(join(folder, name), { force: true });
}

const draftOf = (place: string): string => join(dirname(place), `.${basename(place)}.new`);

/** Copies the AppImage that runs into the folder for the installer that is kept, for the way back. */
export async function keepAppImage(appImage: string, version: string, folder: string): Promise<Installer> {
  const file = join(folder, `Faxdesk-${version}.AppImage`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await copyFile(appImage, `${file}.new`);
  await makeLast(`${file}.new`, 0o700);
  await rename(`${file}.new`, file);
  await flushFolder(folder);
  return { version, file, size: (await stat(file)).size, sha512: await digestOf(file) };
}

/** Starts an AppImage when this process has ended. */
export function startWhenEnded(appImage: string, env: NodeJS.ProcessEnv): void {
  const words = ['-c', START_LATER, 'faxdesk', String(process.pid), appImage];
  spawn('/bin/sh', words, { cwd: '/', env, detached: true, stdio: 'ignore' }).unref();
}

/** Sets the mode of a file and flushes it, so that a power failure leaves it whole. */
async function makeLast(path: string, mode: number): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.chmod(mode);
    await file.sync();
  } finally {
    await file.close();
  }
}
