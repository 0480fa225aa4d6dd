import type { SettingsReader } from '../settings/types.ts';
import type { DeskParts } from './parts.ts';

export const DESK_SETTINGS = ['DRAFT_DAYS', 'CLEANUP_INTERVAL_MINUTES', 'HEADER_PER_PERSON'] as const;

export function deskSettings(
  settings: SettingsReader<(typeof DESK_SETTINGS)[number]>,
): DeskParts['settings'] {
  return {
    draftDays: () => settings.get('DRAFT_DAYS'),
    cleanupMinutes: () => settings.get('CLEANUP_INTERVAL_MINUTES'),
    headerPerPerson: () => settings.get('HEADER_PER_PERSON'),
  };
}
