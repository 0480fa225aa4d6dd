import type { SettingsReader } from '../settings/types.ts';
import type { SummarySettings } from './parts.ts';

export const SUMMARY_SETTINGS = [
  'SUMMARY_RECIPIENTS',
  'SUMMARY_AT',
  'SUMMARY_CONNECTOR',
  'FAX_DEFAULT_COUNTRY',
  'TIME_ZONE',
] as const;

/** The settings as this room reads them: values in force now. */
export function summarySettings(
  settings: SettingsReader<(typeof SUMMARY_SETTINGS)[number]>,
): SummarySettings {
  return {
    recipients: () => settings.get('SUMMARY_RECIPIENTS'),
    hour: () => Number.parseInt(settings.get('SUMMARY_AT'), 10),
    connector: () => settings.get('SUMMARY_CONNECTOR'),
    locality: () => ({ country: settings.get('FAX_DEFAULT_COUNTRY'), timeZone: settings.get('TIME_ZONE') }),
  };
}
