import type { SettingsReader } from '../settings/types.ts';
import type { WorkSettings } from './parts.ts';

export const WORK_SETTINGS = ['WORK_ACKNOWLEDGE_HOURS', 'FAX_DEFAULT_COUNTRY', 'TIME_ZONE'] as const;

/** The settings as this room reads them: values in force now. */
export function workSettings(settings: SettingsReader<(typeof WORK_SETTINGS)[number]>): WorkSettings {
  return {
    acknowledgeHours: () => settings.get('WORK_ACKNOWLEDGE_HOURS'),
    locality: () => ({
      country: settings.get('FAX_DEFAULT_COUNTRY'),
      timeZone: settings.get('TIME_ZONE'),
    }),
  };
}
