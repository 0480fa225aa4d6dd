import type { SettingsService } from '../settings/service.ts';

export const TERMINAL_SETTINGS = ['TERMINAL_ENABLED'] as const;

/** Returns true while people may open terminals. */
export const isTerminalEnabled = (settings: SettingsService): boolean => settings.get('TERMINAL_ENABLED');
