import type { SettingsReader } from '../settings/types.ts';
import type { AccessSettings } from './types.ts';

export const ACCESS_SETTINGS = [
  'PUBLIC_API_URL',
  'ALLOWED_ORIGINS',
  'SERVICE_ALLOW_INSECURE_HTTP_SESSIONS',
  'TRUSTED_PROXIES',
  'SESSION_IDLE_MINUTES',
  'QUICK_SIGN_IN',
  'FAX_DEFAULT_COUNTRY',
  'FAX_ORGANIZATION',
] as const;

/** The settings as this room reads them: values in force now. */
export function accessSettings(settings: SettingsReader<(typeof ACCESS_SETTINGS)[number]>): AccessSettings {
  return {
    publicApiUrl: () => settings.get('PUBLIC_API_URL'),
    allowedOrigins: () => settings.get('ALLOWED_ORIGINS'),
    allowInsecureHttpSessions: () => settings.get('SERVICE_ALLOW_INSECURE_HTTP_SESSIONS'),
    trustedProxies: () => settings.get('TRUSTED_PROXIES'),
    quickSignIn: () => settings.get('QUICK_SIGN_IN'),
    sessionIdleMinutes: () => settings.get('SESSION_IDLE_MINUTES'),
    country: () => settings.get('FAX_DEFAULT_COUNTRY'),
    organization: () => settings.get('FAX_ORGANIZATION'),
  };
}
