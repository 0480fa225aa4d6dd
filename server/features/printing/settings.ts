import type { PrintToFax } from '../../../shared/printing.ts';
import type { SettingsReader } from '../settings/types.ts';

export const PRINTING_SETTINGS = [
  'PRINT_TO_FAX',
  'PRINT_PORT',
  'PRINT_NETWORK_HOST',
  'PRINT_NETWORK_PORT',
  'PRINTED_DAYS',
  'CLEANUP_INTERVAL_MINUTES',
] as const;

/** The settings of the room, as values in force now. */
export interface PrintingSettings {
  /** Computers that can print. */
  mode(): PrintToFax;
  port(): number;
  /** Address and port for other computers. */
  network(): { readonly host: string; readonly port: number };
  /** Days for which printed documents are kept; 0 keeps them. */
  printedDays(): number;
  cleanupMinutes(): number;
}

export function printingSettings(
  settings: SettingsReader<(typeof PRINTING_SETTINGS)[number]>,
): PrintingSettings {
  return {
    mode: () => settings.get('PRINT_TO_FAX'),
    port: () => settings.get('PRINT_PORT'),
    network: () => ({ host: settings.get('PRINT_NETWORK_HOST'), port: settings.get('PRINT_NETWORK_PORT') }),
    printedDays: () => settings.get('PRINTED_DAYS'),
    cleanupMinutes: () => settings.get('CLEANUP_INTERVAL_MINUTES'),
  };
}
