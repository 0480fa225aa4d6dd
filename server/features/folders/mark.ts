import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SEND_FOLDER_MARK } from '../../../shared/send-folder.ts';
import { errorCode } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import type { FoldersParts } from './parts.ts';
import { folderMark } from './store.ts';

const MOST_BYTES = 200;

/**
 * Whether the folder is the send folder of this installation, which marks one that has no mark. Two installations that know
 * nothing of each other would both send what lies there. Throws what the system says.
 */
export async function isOurFolder({ db }: Pick<FoldersParts, 'db'>, folder: string): Promise<boolean> {
  const mark = await db.transaction((tx) => folderMark(tx, newId()));
  const path = join(folder, SEND_FOLDER_MARK);
  try {
    return (await readFile(path, 'utf8')).slice(0, MOST_BYTES).trim() === mark;
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
  await writeNew(path, mark);
  // What another one wrote at the same moment counts.
  return (await readFile(path, 'utf8')).trim() === mark;
}

async function writeNew(path: string, mark: string): Promise<void> {
  try {
    await using file = await open(path, 'wx', 0o600);
    await file.writeFile(`${mark}\n`);
    await file.sync();
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}
