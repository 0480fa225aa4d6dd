import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { SEND_FOLDER_MARK } from '../../platform/watched-folder/own-folder.ts';
import type { FoldersParts } from './parts.ts';
import { folderMark } from './store.ts';

const MAX_BYTES = 200;

/**
 * Returns true when the folder is the send folder of this installation; marks a folder without a mark. Without the
 * mark, two separate installations would both send the same files. Throws file system errors.
 */
export async function isOwnFolder({ db }: Pick<FoldersParts, 'db'>, folder: string): Promise<boolean> {
  const mark = await db.transaction((tx) => folderMark(tx, newId()));
  const path = join(folder, SEND_FOLDER_MARK);
  try {
    return (await readMark(path)) === mark;
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
  await createMark(path, mark);
  // A mark written by another process at the same moment wins.
  return (await readMark(path)) === mark;
}

/**
 * Reads the mark; null for anything that Faxdesk does not write there: a link, a pipe, a folder or a larger file. Never
 * waits for a writer. Throws other file system errors.
 */
async function readMark(path: string): Promise<string | null> {
  try {
    // Windows has none of these flags: undefined counts as 0.
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
    await using file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const found = await file.stat();
    if (!found.isFile() || found.size > MAX_BYTES) return null;
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_BYTES), 0, MAX_BYTES, 0);
    return buffer.toString('utf8', 0, bytesRead).trim();
  } catch (error) {
    // A link; a socket.
    if (['ELOOP', 'EMLINK', 'ENXIO'].includes(errorCode(error))) return null;
    throw error;
  }
}

async function createMark(path: string, mark: string): Promise<void> {
  try {
    await using file = await open(path, 'wx', 0o600);
    await file.writeFile(`${mark}\n`);
    await file.sync();
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}
