import { createReadStream } from 'node:fs';
import { chmod, stat } from 'node:fs/promises';
import { replaceDurably } from './durable-file.ts';
import { makeFolder } from './make-folder.ts';

/**
 * Folders that a program under another account shares by their group. What is made in a folder with the set-group-id bit belongs to
 * the group of that folder; a file that is moved there keeps its own, so files are written in the folder itself.
 */
const SET_GROUP_ID = 0o2000;
const GROUP_READ_EXECUTE = 0o050;
const GROUP_READ = 0o040;
const SHARED_FOLDER = 0o750;
const SHARED_FILE = 0o640;

/**
 * Makes a folder that the group of the folder above it may read. An existing one stays as it is. Throws the error of
 * the system. The mode is set on creation and never changed: the system removes the set-group-id bit when an account
 * outside the group changes a mode.
 */
export async function makeSharedFolder(path: string): Promise<void> {
  await makeFolder(path, SHARED_FOLDER);
}

/** Copies a file to where the group of its new folder may read it, flushed to the disk. Throws the errors of the system. */
export async function copyShared(from: string, to: string): Promise<void> {
  await replaceDurably(to, SHARED_FILE, async (file) => {
    await file.chmod(SHARED_FILE);
    await file.writeFile(createReadStream(from));
  });
}

/** Lets the group of the folder read a file in it, where it may look into the folder. Throws the errors of the system. */
export async function shareFile(folder: string, path: string): Promise<void> {
  if (await isGroupReadable(folder)) await chmod(path, SHARED_FILE);
}

/**
 * Returns true when the group of the folder can read the file in it, or may not read the folder at all. False where
 * there is no file.
 */
export async function isShared(folder: string, path: string): Promise<boolean> {
  const file = await stat(path).catch(() => null);
  if (file === null) return false;
  const { mode, gid } = await stat(folder);
  if ((mode & GROUP_READ_EXECUTE) !== GROUP_READ_EXECUTE) return true;
  return (file.mode & GROUP_READ) !== 0 && ((mode & SET_GROUP_ID) === 0 || file.gid === gid);
}

const isGroupReadable = async (folder: string) =>
  ((await stat(folder)).mode & GROUP_READ_EXECUTE) === GROUP_READ_EXECUTE;
