import { isAppImage, isInstallable } from './install.ts';
import type { Installer } from './update-record.ts';
import type { UpdateState } from './updates.ts';

/** Words of the dialog for a person who asks for a newer version. */
interface UpdateWords {
  readonly message: string;
  readonly detail: string;
  /** The installer to show; null where there is none. */
  readonly installer: Installer | null;
}

/** As much as a dialog of the system shows on a small screen. */
const MAX_LINES = 15;
const MAX_LENGTH = 1_000;

const INSTALLING_NOW =
  'Install now waits until no fax is being sent, closes Faxdesk, makes a backup and opens the installer. Your faxes and settings stay.';
const REPLACING_NOW =
  'Install now waits until no fax is being sent, closes Faxdesk, makes a backup and starts the new version. Your faxes and settings stay.';
const INSTALLING =
  'To install it, choose Show installer, quit Faxdesk, and open the installer. Quitting finishes a fax that is being sent. Your faxes and settings stay.';

const noWayBack = (version: string) =>
  `Faxdesk could not get the installer of version ${version}, so it cannot go back to it by itself if the new version does not work.`;

export function updateWords(state: UpdateState, version: string): UpdateWords {
  const own = `This is version ${version}.`;
  const words = (message: string, detail = own): UpdateWords => ({ message, detail, installer: null });
  switch (state.kind) {
    case 'off':
    case 'failed':
      return words(state.sentence);
    case 'newest':
      return words('You have the newest version of Faxdesk.');
    case 'paused':
      return words(
        `Faxdesk ${state.version} did not work on this computer, so it is not offered again.`,
        `${own} The version after it will be offered.`,
      );
    case 'waiting':
    case 'checking':
      return words('Faxdesk is looking for a new version.');
    case 'downloading':
      return words(
        `Faxdesk ${state.version} is being downloaded.`,
        `${own} You can keep working; a notice appears when the download is done.`,
      );
    case 'ready': {
      const notes = shorten(state.notes.trim());
      const detail = [
        wayOf(state.installer.file),
        ...(state.hasWayBack ? [] : [noWayBack(version)]),
        ...(notes === '' ? [] : [`What is new:\n${notes}`]),
        own,
      ].join('\n\n');
      return { message: `Faxdesk ${state.version} is ready to install.`, detail, installer: state.installer };
    }
    default:
      return state satisfies never;
  }
}

/** Notice after the first start of a version that works. */
export const updatedWords = (version: string) => ({
  title: `Faxdesk was updated to ${version}`,
  body: 'Your faxes and settings are as they were.',
});

/** Notice after the version before was installed again. */
export const returnedWords = (failed: string, version: string) => ({
  title: `Faxdesk is back at version ${version}`,
  body: `Version ${failed} did not work on this computer and is not offered again. No fax was lost.`,
});

function wayOf(file: string): string {
  if (!isInstallable(file)) return INSTALLING;
  return isAppImage(file) ? REPLACING_NOW : INSTALLING_NOW;
}

function shorten(notes: string): string {
  const lines = notes.slice(0, MAX_LENGTH).split('\n').slice(0, MAX_LINES);
  const text = lines.join('\n');
  return text.length < notes.length ? `${text}\n…` : text;
}
