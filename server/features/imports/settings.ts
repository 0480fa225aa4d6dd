import type { SettingsService } from '../settings/service.ts';
import type { ImportsSettings } from './parts.ts';

export const IMPORTS_SETTINGS = ['FAX_DEFAULT_COUNTRY', 'IMPORT_FOLDER'] as const;

/** The settings as this room reads them: values in force now. */
export function importsSettings(settings: SettingsService): ImportsSettings {
  return {
    country: () => settings.get('FAX_DEFAULT_COUNTRY'),
    folder: () => settings.pathOf('IMPORT_FOLDER'),
  };
}
