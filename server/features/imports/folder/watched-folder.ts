import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { extensionsOf, folderTypeNames } from '../../../../shared/document-types.ts';
import { type FolderSchedule, scheduleFolder } from '../../../jobs/folder-schedule.ts';
import { errorCode } from '../../../platform/errors.ts';
import type { FolderSentences, FolderUse } from '../../../platform/watched-folder/folder-watch.ts';
import type { FoundFile } from '../../../platform/watched-folder/found-files.ts';
import { SEND_FOLDER_MARK } from '../../../platform/watched-folder/own-folder.ts';
import { ImportRefusalError } from '../errors.ts';
import { readManifest } from '../manifest.ts';
import type { ImportsParts } from '../parts.ts';
import { findImport } from '../store.ts';
import { FOLDER_ACCOUNT, takeDocument, textOf } from './take-document.ts';

const IS_SEND_FOLDER =
  'Nothing is imported from the import folder, because it is also the send folder. Choose a different folder for one of them.';
const HOUR_MS = 3_600_000;
const SUBFOLDERS = { done: 'done', refused: 'refused' };

const SENTENCES: FolderSentences = {
  unavailable:
    'Nothing is imported from the import folder, because Faxdesk cannot read and write there. Check that the folder exists and that Faxdesk has access to it.',
  deferred:
    'A document in the import folder could not be imported yet. It is tried again automatically; the log has the details.',
  unsupported(count) {
    const files = count === 1 ? '1 file in the import folder is' : `${count} files in the import folder are`;
    return `${files} not imported: it accepts ${folderTypeNames('import_folder')} files, each with or without a manifest (.json) of the same name.`;
  },
  refused(count) {
    const documents = count === 1 ? '1 document was' : `${count} documents were`;
    return `${documents} refused: look in “${SUBFOLDERS.refused}” of the import folder, where a note beside each says why.`;
  },
  refusedLog: 'a document in the import folder was refused',
};

/** Checks the import folder every ten seconds while one is set, whether or not faxes are received. */
export function createWatchedFolder(parts: ImportsParts): FolderSchedule {
  const use: FolderUse = {
    extensions: extensionsOf('import_folder'),
    subfolders: SUBFOLDERS,
    sentences: SENTENCES,
    mayUse: async (folder) => ((await isSendFolder(folder)) ? IS_SEND_FOLDER : null),
    take: (found) => takeDocument(parts, found),
    manifestsWaitMs: HOUR_MS,
    isTaken: (manifest) => isImported(parts, manifest),
  };
  return scheduleFolder(parts, { kind: 'imports.folder', folder: () => parts.settings.folder(), use });
}

/** Files in a send folder would be imported and sent. */
async function isSendFolder(folder: string): Promise<boolean> {
  try {
    return (await lstat(join(folder, SEND_FOLDER_MARK))).isFile();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

async function isImported(parts: ImportsParts, file: FoundFile): Promise<boolean> {
  try {
    const text = await textOf(file);
    const { operationId, revision } = readManifest(parts, text);
    const identity = { account: FOLDER_ACCOUNT, operation_id: operationId, revision };
    return (await findImport(parts.db.read, identity)) !== undefined;
  } catch (error) {
    if (error instanceof ImportRefusalError || errorCode(error) !== '') return false;
    throw error;
  }
}
