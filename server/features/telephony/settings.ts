import { lineAccountId } from '../../../shared/line-account.ts';
import { GATEWAY_ACTOR } from '../access/service.ts';
import { SettingsStaleError } from '../settings/errors.ts';
import type { SettingsService } from '../settings/service.ts';
import { LINE_SETTINGS, type LineSettings } from './line-settings.ts';
import type { TelephonySettings } from './parts.ts';

export const TELEPHONY_SETTINGS = [
  'INBOUND_ENABLED',
  'FAX_DEFAULT_COUNTRY',
  'FAX_NUMBER',
  'TELEPHONY_INBOUND_SECRET',
  'CALL_LOG_DAYS',
  'CLEANUP_INTERVAL_MINUTES',
] as const;

/** The settings as this room reads them: values in force now. */
export function telephonySettings(settings: SettingsService): TelephonySettings {
  return {
    receives: () => settings.get('INBOUND_ENABLED'),
    country: () => settings.get('FAX_DEFAULT_COUNTRY'),
    ownNumber: () => settings.get('FAX_NUMBER'),
    handOverSecret: () => settings.get('TELEPHONY_INBOUND_SECRET'),
    line: () => valuesOf(settings),
    engineHost: () => LINE_SETTINGS.shape.TELEPHONY_HOST.parse(valuesOf(settings)['TELEPHONY_HOST']),
    lineAccount: () => accountOf(LINE_SETTINGS.parse(valuesOf(settings))),
    callLogDays: () => settings.get('CALL_LOG_DAYS'),
    cleanupMinutes: () => settings.get('CLEANUP_INTERVAL_MINUTES'),
    saveHandOverSecret: (secret) => saveHandOverSecret(settings, secret),
  };
}

/** Returns all settings, with those of the phone line, which its provider defines. */
const valuesOf = (settings: SettingsService): Readonly<Record<string, unknown>> => settings.snapshot().values;

function accountOf({
  TRUNK_AUTHENTICATION: authentication,
  TRUNK_HOST: host,
  TRUNK_USER: user,
}: LineSettings): string | null {
  return host ? lineAccountId({ byAddress: authentication === 'address', user, host }) : null;
}

async function saveHandOverSecret(settings: SettingsService, secret: string): Promise<void> {
  while (settings.get('TELEPHONY_INBOUND_SECRET') === null) {
    try {
      await settings.change({
        named: { TELEPHONY_INBOUND_SECRET: secret },
        namedKey: 'changes',
        expectedRevisionId: settings.applyState().desired.id,
        actor: { ...GATEWAY_ACTOR, holds: () => true },
      });
    } catch (error) {
      if (!(error instanceof SettingsStaleError)) throw error;
      await settings.refresh();
    }
  }
}
