import { GATEWAY_ACTOR } from '../access/service.ts';
import { SettingsStaleError } from '../settings/errors.ts';
import type { SettingsService } from '../settings/service.ts';
import type { TelephonySettings } from './parts.ts';

export const TELEPHONY_SETTINGS = [
  'INBOUND_ENABLED',
  'FAX_DEFAULT_COUNTRY',
  'FAX_NUMBER',
  'TELEPHONY_INBOUND_SECRET',
] as const;

/** The settings as this room reads them: values in force now. */
export function telephonySettings(settings: SettingsService): TelephonySettings {
  return {
    receives: () => settings.get('INBOUND_ENABLED'),
    country: () => settings.get('FAX_DEFAULT_COUNTRY'),
    ownNumber: () => settings.get('FAX_NUMBER'),
    handOverSecret: () => settings.get('TELEPHONY_INBOUND_SECRET'),
    saveHandOverSecret: (secret) => saveHandOverSecret(settings, secret),
  };
}

async function saveHandOverSecret(settings: SettingsService, secret: string): Promise<void> {
  while (settings.get('TELEPHONY_INBOUND_SECRET') === null) {
    try {
      await settings.change({
        named: { TELEPHONY_INBOUND_SECRET: secret },
        namedAt: 'changes',
        expectedRevisionId: settings.applyState().desired.id,
        actor: GATEWAY_ACTOR,
      });
    } catch (error) {
      if (!(error instanceof SettingsStaleError)) throw error;
      await settings.refresh();
    }
  }
}
