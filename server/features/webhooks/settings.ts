import type { SettingsReader } from '../settings/types.ts';
import type { WebhookSettings } from './parts.ts';

export const WEBHOOK_SETTINGS = ['WEBHOOKS_ENABLED', 'WEBHOOKS_ALLOW_PRIVATE'] as const;

/** The settings as this room reads them: values in force now. */
export function webhookSettings(
  settings: SettingsReader<(typeof WEBHOOK_SETTINGS)[number]>,
): WebhookSettings {
  return {
    enabled: () => settings.get('WEBHOOKS_ENABLED'),
    allowsPrivate: () => settings.get('WEBHOOKS_ALLOW_PRIVATE'),
  };
}
