import { reachableAddress } from '../../platform/outside-address.ts';
import type { SettingsService } from '../settings/service.ts';
import type { InboundSettings } from './parts.ts';

export const INBOUND_SETTINGS = [
  'INBOUND_ENABLED',
  'INBOUND_POLLING',
  'INBOUND_READING',
  'INBOUND_DECODE_PAGES',
  'PUBLIC_API_URL',
  'INBOUND_RETENTION_DAYS',
  'CLEANUP_INTERVAL_MINUTES',
  'INBOUND_LIST_RPM',
  'INBOUND_GET_RPM',
  'FAX_DEFAULT_COUNTRY',
  'FAX_NUMBER',
  'TIME_ZONE',
] as const;

/** The settings as this room reads them: values in force now. */
export function inboundSettings(settings: SettingsService): InboundSettings {
  return {
    enabled: () => settings.get('INBOUND_ENABLED'),
    sharesReading: () => settings.get('INBOUND_READING') === 'shared',
    decodesPages: () => settings.get('INBOUND_DECODE_PAGES'),
    polling: () => settings.get('INBOUND_POLLING'),
    publicUrl: () => reachableAddress(settings.get('PUBLIC_API_URL')),
    statedUrl: () => settings.get('PUBLIC_API_URL'),
    retentionDays: () => settings.get('INBOUND_RETENTION_DAYS'),
    cleanupMinutes: () => settings.get('CLEANUP_INTERVAL_MINUTES'),
    listsPerMinute: () => settings.get('INBOUND_LIST_RPM'),
    readsPerMinute: () => settings.get('INBOUND_GET_RPM'),
    country: () => settings.get('FAX_DEFAULT_COUNTRY'),
    timeZone: () => settings.get('TIME_ZONE'),
    ownNumber: () => settings.get('FAX_NUMBER'),
  };
}
