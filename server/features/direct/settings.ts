import type { SettingsReader } from '../settings/types.ts';
import type { DirectSettings } from './parts.ts';

export const DIRECT_SETTINGS = [
  'DIRECT_DELIVERY_ENABLED',
  'DIRECT_ORGANIZATION',
  'DIRECT_FAX_NUMBER',
  'DIRECT_ALLOW_PRIVATE_PEERS',
  'PUBLIC_API_URL',
  'FAX_DEFAULT_COUNTRY',
  'TIME_ZONE',
] as const;

/** The settings as this room reads them: values in force now. */
export function directSettings(settings: SettingsReader<(typeof DIRECT_SETTINGS)[number]>): DirectSettings {
  return {
    enabled: () => settings.get('DIRECT_DELIVERY_ENABLED'),
    organization: () => settings.get('DIRECT_ORGANIZATION'),
    faxNumber: () => settings.get('DIRECT_FAX_NUMBER'),
    endpoint: () => settings.get('PUBLIC_API_URL'),
    allowsPrivate: () => settings.get('DIRECT_ALLOW_PRIVATE_PEERS'),
    locality: () => ({ country: settings.get('FAX_DEFAULT_COUNTRY'), timeZone: settings.get('TIME_ZONE') }),
  };
}
