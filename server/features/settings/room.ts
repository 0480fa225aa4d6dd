import { EVENT_PERMISSIONS } from '../../../shared/api/console-events.ts';
import { type Change, defineRoom, type Room } from '../room.ts';
import { pluginServedRoutes } from './plugin-routes.ts';
import { settingsServedRoutes } from './routes.ts';
import { createSettingsService, type SettingsParts, type SettingsService } from './service.ts';
import type { SettingsChange } from './types.ts';

export { createCatalog, type Settings } from './service.ts';

const REFRESH_MS = 1_000;

/**
 * The settings of the installation. They are read before there are other rooms, because those are built by them. Throws
 * SettingsStartError with a sentence when the gateway cannot start with them.
 */
export async function createSettings(
  parts: SettingsParts & { readonly release: string },
): Promise<Room & { readonly service: SettingsService }> {
  const service = await createSettingsService(parts);
  const refreshing = refreshEvery(REFRESH_MS, service, parts);
  const room = defineRoom({
    name: 'settings',
    served: [...settingsServedRoutes({ settings: service }), ...pluginServedRoutes(service, parts.release)],
    events: [
      {
        kind: 'settings.changed',
        listen: (listener) => service.onChange((change) => listener(changeOf(change))),
      },
      {
        kind: 'installation.changed',
        listen: (listener) => service.onChange((change) => listener(installationChange(change))),
      },
    ],
    warnings: async () => service.warnings(),
    // Not before everybody follows the settings.
    open: async () => refreshing.start(),
    stop: () => refreshing.stop(),
  });
  return { ...room, service };
}

function changeOf({ generation }: SettingsChange): Change {
  const kind = 'settings.changed';
  return {
    id: 'settings',
    version: generation,
    event: { kind, data: { generation }, mayReceive: (caller) => caller.holds(EVENT_PERMISSIONS[kind]) },
  };
}

/**
 * Makes the change for consoles that may not read the settings: their view of the installation and of read marks
 * depends on them too.
 */
function installationChange({ generation }: SettingsChange): Change {
  const kind = 'installation.changed';
  return { id: kind, version: generation, event: { kind, data: {}, mayReceive: () => true } };
}

/** Another process on the same database may have changed a setting. */
function refreshEvery(everyMs: number, service: SettingsService, { logger }: Pick<SettingsParts, 'logger'>) {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const refresh = async () => {
    try {
      await service.refresh();
    } catch (error) {
      logger.room('settings').error({ error }, 'the settings could not be read again');
    }
  };
  return {
    start() {
      timer = setInterval(() => {
        running = refresh();
      }, everyMs);
    },
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
