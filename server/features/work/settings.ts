import { LIMITS } from '../../../shared/limits.ts';
import type { SettingsReader } from '../settings/types.ts';
import type { WorkSettings } from './parts.ts';

export const WORK_SETTINGS = [
  'WORK_ACKNOWLEDGE_HOURS',
  'WORK_NOTES',
  'DIRECT_WORK_ITEMS',
  'FAX_DEFAULT_COUNTRY',
  'TIME_ZONE',
] as const;

/** The settings as this room reads them: values in force now. */
export function workSettings(settings: SettingsReader<(typeof WORK_SETTINGS)[number]>): WorkSettings {
  return {
    notes: () =>
      settings
        .get('WORK_NOTES')
        .split(';')
        .flatMap((note) => note.trim().slice(0, LIMITS.noteLength) || []),
    directItems: () => settings.get('DIRECT_WORK_ITEMS'),
    acknowledgeHours: () => settings.get('WORK_ACKNOWLEDGE_HOURS'),
    locality: () => ({
      country: settings.get('FAX_DEFAULT_COUNTRY'),
      timeZone: settings.get('TIME_ZONE'),
    }),
  };
}
