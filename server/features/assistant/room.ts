import type { Logger } from '../../platform/logger.ts';
import { defineRoom, type Room } from '../room.ts';
import type { SettingsService } from '../settings/service.ts';
import { assistantServedRoutes } from './routes.ts';
import { createAssistantService } from './service.ts';
import { ASSISTANT_SETTINGS, assistantSettings } from './settings.ts';

/** The room of assistants, which use the API by the Model Context Protocol. */
export function createAssistant(given: {
  readonly settings: SettingsService;
  readonly logger: Logger;
  readonly release: string;
  readonly maxFileBytes: () => number;
}): Room {
  const service = createAssistantService({
    ...given,
    settings: assistantSettings(given.settings),
    logger: given.logger.room('assistant'),
  });
  return defineRoom({
    name: 'assistant',
    served: assistantServedRoutes(service),
    settings: { names: ASSISTANT_SETTINGS, changed: async () => service.settingsChanged() },
    open: async (requests) => service.open(requests),
    close: () => service.close(),
  });
}
