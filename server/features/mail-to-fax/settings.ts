import type { SettingsReader } from '../settings/types.ts';
import { addressesIn } from './addresses.ts';
import type { MailToFaxSettings } from './parts.ts';

export const MAIL_TO_FAX_SETTINGS = [
  'MAIL_TO_FAX_HOST',
  'MAIL_TO_FAX_PORT',
  'MAIL_TO_FAX_SECURITY',
  'MAIL_TO_FAX_USER',
  'MAIL_TO_FAX_PASSWORD',
  'MAIL_TO_FAX_FOLDER',
  'MAIL_TO_FAX_ADDRESS',
  'MAIL_TO_FAX_MB',
  'MAIL_TO_FAX_COVER',
  'MAIL_TO_FAX_TRUSTED_SERVER',
  'MAIL_TO_FAX_REPLY_CONNECTOR',
  'FAX_DEFAULT_COUNTRY',
  'TIME_ZONE',
] as const;

const MB = 1024 * 1024;

/** The settings as this room reads them: values in force now. */
export function mailToFaxSettings(
  settings: SettingsReader<(typeof MAIL_TO_FAX_SETTINGS)[number]>,
): MailToFaxSettings {
  return {
    server() {
      const host = settings.get('MAIL_TO_FAX_HOST');
      if (host === null) return null;
      return {
        host,
        port: settings.get('MAIL_TO_FAX_PORT'),
        security: settings.get('MAIL_TO_FAX_SECURITY'),
        username: settings.get('MAIL_TO_FAX_USER') ?? '',
        password: settings.get('MAIL_TO_FAX_PASSWORD') ?? '',
        folder: settings.get('MAIL_TO_FAX_FOLDER'),
      };
    },
    addresses: () =>
      addressesIn(settings.get('MAIL_TO_FAX_ADDRESS') ?? settings.get('MAIL_TO_FAX_USER') ?? '') ?? [],
    maxMessageBytes: () => settings.get('MAIL_TO_FAX_MB') * MB,
    cover: () => settings.get('MAIL_TO_FAX_COVER'),
    trustedServer: () => settings.get('MAIL_TO_FAX_TRUSTED_SERVER'),
    replyConnector: () => settings.get('MAIL_TO_FAX_REPLY_CONNECTOR'),
    locality: () => ({ country: settings.get('FAX_DEFAULT_COUNTRY'), timeZone: settings.get('TIME_ZONE') }),
    country: () => settings.get('FAX_DEFAULT_COUNTRY'),
  };
}
