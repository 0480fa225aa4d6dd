import type { SettingsReader } from '../settings/types.ts';

export const HTTPS_SETTINGS = [
  'HTTPS_ENABLED',
  'HTTPS_HOST',
  'HTTPS_PORT',
  'HTTPS_NAMES',
  'HTTPS_ANNOUNCED',
  'HTTPS_CERTIFICATE_FILE',
  'HTTPS_KEY_FILE',
  'FAX_ORGANIZATION',
] as const;

/** HTTPS configuration from the settings. */
export interface HttpsSettings {
  readonly enabled: boolean;
  readonly host: string;
  /** 0 for any. */
  readonly port: number;
  readonly names: readonly string[];
  /** True when other computers can find it in the local network. */
  readonly announced: boolean;
  readonly certificateFile: string | null;
  readonly keyFile: string | null;
}

/** The values in force now. */
export function httpsSettings(settings: SettingsReader<(typeof HTTPS_SETTINGS)[number]>): HttpsSettings {
  return {
    enabled: settings.get('HTTPS_ENABLED'),
    host: settings.get('HTTPS_HOST'),
    port: settings.get('HTTPS_PORT'),
    names: settings.get('HTTPS_NAMES'),
    announced: settings.get('HTTPS_ANNOUNCED'),
    certificateFile: settings.get('HTTPS_CERTIFICATE_FILE'),
    keyFile: settings.get('HTTPS_KEY_FILE'),
  };
}

/** Returns the source of the certificate in use. */
export function sourceOf({ enabled, certificateFile, keyFile }: HttpsSettings): 'off' | 'own' | 'files' {
  if (!enabled) return 'off';
  return certificateFile === null && keyFile === null ? 'own' : 'files';
}
