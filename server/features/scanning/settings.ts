import { scannerAddress } from '../../../shared/scanning.ts';
import type { SettingsReader } from '../settings/types.ts';

export const SCANNING_SETTINGS = ['SCANNERS'] as const;

/** Returns the addresses of the scanners: `http://host/eSCL` where the setting names only a host. */
export function scannerAddresses(settings: SettingsReader<(typeof SCANNING_SETTINGS)[number]>): string[] {
  return [...new Set(settings.get('SCANNERS').map(scannerAddress))];
}
