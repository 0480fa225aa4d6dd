import { extensionsOf, folderTypeNames } from '../../../shared/document-types.ts';
import { type FolderSchedule, scheduleFolder } from '../../jobs/folder-schedule.ts';
import type { FolderSentences, FolderUse } from '../../platform/watched-folder/folder-watch.ts';
import { SEND_FOLDER_MARK } from '../../platform/watched-folder/own-folder.ts';
import { isOwnFolder } from './mark.ts';
import type { FoldersParts } from './parts.ts';
import { folderCaller, isSent, takeFile } from './take-file.ts';

/** Longer than it takes to write a file beside it, and short, so that none of a sent file is taken for that of the next. */
const MANIFEST_WAITS_MS = 60_000;
const SUBFOLDERS = { done: 'sent', refused: 'failed' };

const NO_SENDER =
  'Nothing is sent from the send folder. Under Settings > Sending, “Send folder sends for”, choose a person or an API key with permission to send faxes.';
const OTHER_INSTALLATION = `Nothing is sent from the send folder, because it is marked for another installation of Faxdesk. If that one no longer uses it, delete the hidden file ${SEND_FOLDER_MARK} there.`;

const SENTENCES: FolderSentences = {
  unavailable:
    'Nothing is sent from the send folder, because Faxdesk cannot read and write there. Check that the folder exists and that Faxdesk has access to it.',
  deferred:
    'A file in the send folder could not be sent or moved yet. It is tried again automatically and never sent twice; the log has the details.',
  unsupported(count) {
    const files = count === 1 ? '1 file in the send folder is' : `${count} files in the send folder are`;
    return `${files} not sent: it accepts ${folderTypeNames('send_folder')} files, named with the number, or with a .json of the same name.`;
  },
  refused(count) {
    const files = count === 1 ? '1 file was' : `${count} files were`;
    return `${files} not sent: look in “${SUBFOLDERS.refused}” of the send folder, where a note beside each says why.`;
  },
  refusedLog: 'a file in the send folder was not sent',
};

/** Checks the send folder every ten seconds while one is set. */
export function createSendFolder(parts: FoldersParts): FolderSchedule {
  const use: FolderUse = {
    extensions: extensionsOf('send_folder'),
    subfolders: SUBFOLDERS,
    sentences: SENTENCES,
    async mayUse(folder) {
      if ((await folderCaller(parts)) === null) return NO_SENDER;
      return (await isOwnFolder(parts, folder)) ? null : OTHER_INSTALLATION;
    },
    take: (found, unchangedMs) => takeFile(parts, found, unchangedMs),
    manifestsWaitMs: MANIFEST_WAITS_MS,
    isTaken: (manifest) => isSent(parts, manifest),
  };
  return scheduleFolder(parts, { kind: 'folders.send', folder: () => parts.settings.folder(), use });
}
