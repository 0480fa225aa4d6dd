import type { Confirmation } from '../../../shared/assistant.ts';
import type { SettingsService } from '../settings/service.ts';

export const ASSISTANT_SETTINGS = ['ASSISTANT_ENABLED', 'ASSISTANT_CONFIRM'] as const;

/** The settings as this room reads them: values in force now. */
export interface AssistantSettings {
  readonly isEnabled: () => boolean;
  readonly confirm: () => Confirmation;
}

export function assistantSettings(settings: SettingsService): AssistantSettings {
  return {
    isEnabled: () => settings.get('ASSISTANT_ENABLED'),
    confirm: () => settings.get('ASSISTANT_CONFIRM'),
  };
}
