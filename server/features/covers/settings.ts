import type { SettingsReader } from '../settings/types.ts';
import type { CoverSettings } from './parts.ts';

export const COVERS_SETTINGS = [
  'FAX_DEFAULT_COUNTRY',
  'FAX_ORGANIZATION',
  'FAX_NUMBER',
  'TIME_ZONE',
  'REFERENCE_LABEL',
] as const;

/** The settings as this room reads them: values in force now. */
export function coverSettings(settings: SettingsReader<(typeof COVERS_SETTINGS)[number]>): CoverSettings {
  return {
    country: () => settings.get('FAX_DEFAULT_COUNTRY'),
    organization: () => settings.get('FAX_ORGANIZATION'),
    ownNumber: () => settings.get('FAX_NUMBER'),
    timeZone: () => settings.get('TIME_ZONE'),
    referenceLabel: () => settings.get('REFERENCE_LABEL'),
  };
}
