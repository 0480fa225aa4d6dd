import type { SettingsService } from '../settings/service.ts';
import type { FoldersSettings } from './parts.ts';

export const FOLDERS_SETTINGS = [
  'FAX_DEFAULT_COUNTRY',
  'SEND_FOLDER',
  'SEND_FOLDER_FOR',
  'SEND_FOLDER_MAILBOX',
] as const;

/** The settings as this room reads them: values in force now. */
export function foldersSettings(settings: SettingsService): FoldersSettings {
  return {
    country: () => settings.get('FAX_DEFAULT_COUNTRY'),
    folder: () => settings.pathOf('SEND_FOLDER'),
    sendsFor: () => settings.get('SEND_FOLDER_FOR'),
    mailbox: () => settings.get('SEND_FOLDER_MAILBOX'),
  };
}
