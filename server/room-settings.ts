import type { AccessSettings } from './features/access/service.ts';
import type { OutboundSettings } from './features/outbound/parts.ts';
import type { Settings } from './features/settings/service.ts';

/** The settings as each room reads them: values in force now, under the room's own words. */
export function outboundSettings(settings: Settings): OutboundSettings {
  return {
    sendingDisabled: () => settings.get('FAX_DISABLED'),
    country: () => settings.get('FAX_DEFAULT_COUNTRY'),
    organization: () => settings.get('FAX_ORGANIZATION'),
    ownNumber: () => settings.get('FAX_NUMBER'),
    timeZone: () => settings.get('TIME_ZONE'),
    publicUrl: () => settings.get('PUBLIC_API_URL'),
    linkMinutes: () => settings.get('PDF_TOKEN_TTL_MINUTES'),
    mostFileBytes: () => settings.get('MAX_FILE_SIZE_MB') * 1024 * 1024,
    artifactDays: () => settings.get('ARTIFACT_TTL_DAYS'),
    cleanupMinutes: () => settings.get('CLEANUP_INTERVAL_MINUTES'),
    configuration() {
      const { revisionId, generation } = settings.snapshot();
      return { revisionId, generation };
    },
  };
}

export function accessSettings(settings: Settings): AccessSettings {
  return {
    publicApiUrl: () => settings.get('PUBLIC_API_URL'),
    allowedOrigins: () => settings.get('ALLOWED_ORIGINS'),
    allowInsecureHttpSessions: () => settings.get('SERVICE_ALLOW_INSECURE_HTTP_SESSIONS'),
    trustedProxies: () => settings.get('TRUSTED_PROXIES'),
    sessionIdleMinutes: () => settings.get('SESSION_IDLE_MINUTES'),
    requireApiKey: () => settings.get('REQUIRE_API_KEY'),
    country: () => settings.get('FAX_DEFAULT_COUNTRY'),
    organization: () => settings.get('FAX_ORGANIZATION'),
  };
}
