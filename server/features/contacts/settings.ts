import type { DirectoryAccount } from '../../adapters/directory/port.ts';
import type { SettingsReader } from '../settings/types.ts';

export const CONTACTS_SETTINGS = [
  'FAX_DEFAULT_COUNTRY',
  'DIRECTORY_URL',
  'DIRECTORY_USER',
  'DIRECTORY_PASSWORD',
  'DIRECTORY_BASE',
  'DIRECTORY_FILTER',
] as const;

/** The settings as this room reads them: values in force now. */
export function contactsSettings(settings: SettingsReader<(typeof CONTACTS_SETTINGS)[number]>) {
  return {
    /** ISO 3166 alpha-2: whose national numbers are typed. */
    country: () => settings.get('FAX_DEFAULT_COUNTRY'),
    /** Returns null while no directory is set. */
    directory(): DirectoryAccount | null {
      const url = settings.get('DIRECTORY_URL');
      if (url === null) return null;
      return {
        url,
        user: settings.get('DIRECTORY_USER'),
        password: settings.get('DIRECTORY_PASSWORD') ?? '',
        base: settings.get('DIRECTORY_BASE'),
        filter: settings.get('DIRECTORY_FILTER'),
      };
    },
  };
}
