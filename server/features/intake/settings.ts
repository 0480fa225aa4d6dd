import { reachableAddress } from '../../platform/outside-address.ts';
import type { SettingsReader } from '../settings/types.ts';
import type { IntakeSettings } from './parts.ts';

export const INTAKE_SETTINGS = [
  'FAX_DEFAULT_COUNTRY',
  'TIME_ZONE',
  'PUBLIC_API_URL',
  'MAIL_ATTACHMENT_MB',
  'MAIL_LINK_WHEN_LARGE',
  'MAIL_IMPORTED',
  'MAIL_UNENCRYPTED',
] as const;

const MB = 1024 * 1024;

/** The settings as this room reads them: values in force now. */
export function intakeSettings(settings: SettingsReader<(typeof INTAKE_SETTINGS)[number]>): IntakeSettings {
  return {
    country: () => settings.get('FAX_DEFAULT_COUNTRY'),
    locality: () => ({ country: settings.get('FAX_DEFAULT_COUNTRY'), timeZone: settings.get('TIME_ZONE') }),
    publicUrl: () => reachableAddress(settings.get('PUBLIC_API_URL')),
    maxAttachmentBytes: () => settings.get('MAIL_ATTACHMENT_MB') * MB,
    linksLarge: () => settings.get('MAIL_LINK_WHEN_LARGE'),
    sendsImported: () => settings.get('MAIL_IMPORTED'),
    allowsUnencrypted: () => settings.get('MAIL_UNENCRYPTED'),
  };
}
