import { join } from 'node:path';
import { type BrowserWindow, dialog } from 'electron';
import { z } from 'zod';
import { ALLOWED_FOLDERS_FILE } from '../shared/data-folder.ts';
import { readOwnerFile, writeOwnerFile } from './owner-file.ts';

const Folders = z.array(z.string());
/** The oldest goes: people choose a few in all. */
const MAX_FOLDERS = 50;

/**
 * Shows a folder dialog and allows the gateway of the data folder to use the chosen folder. The page only receives the
 * result: a folder that it names itself is never allowed. Null when the person canceled.
 */
export async function chooseFolder(dataFolder: string, window: BrowserWindow | null): Promise<string | null> {
  const options = {
    title: 'Choose a folder that Faxdesk can use',
    properties: ['openDirectory' as const, 'createDirectory' as const],
  };
  const { canceled, filePaths } =
    window === null ? await dialog.showOpenDialog(options) : await dialog.showOpenDialog(window, options);
  const [folder] = filePaths;
  if (canceled || folder === undefined) return null;
  const file = join(dataFolder, ALLOWED_FOLDERS_FILE);
  const others = (await readFolders(file)).filter((other) => other !== folder);
  const folders = [...others, folder].slice(-MAX_FOLDERS);
  await writeOwnerFile(file, `${JSON.stringify(folders, null, 2)}\n`);
  return folder;
}

async function readFolders(file: string): Promise<string[]> {
  try {
    return Folders.parse(JSON.parse((await readOwnerFile(file)) ?? '[]'));
  } catch {
    return [];
  }
}
