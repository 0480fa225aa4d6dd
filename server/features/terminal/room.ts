import type { Database } from '../../db/database.ts';
import type { Authenticator } from '../../http/caller.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import { urlHost } from '../../platform/url-host.ts';
import type { AccessService } from '../access/service.ts';
import type { SecurityAudit } from '../audit/service.ts';
import { defineRoom, type Room } from '../room.ts';
import type { SettingsService } from '../settings/service.ts';
import { terminalServedRoutes } from './routes.ts';
import { createTerminalService } from './service.ts';
import { isTerminalEnabled, TERMINAL_SETTINGS } from './settings.ts';
import type { StartTerminalProcess } from './terminal-process-port.ts';

interface TerminalRoomParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly audit: SecurityAudit;
  readonly access: AccessService;
  readonly authenticator: Authenticator;
  readonly settings: SettingsService;
  readonly listening: () => { host: string; port: number };
  readonly start: StartTerminalProcess;
}

/** A stream of output counts as dead after a few times this long without a sign of life. */
const CHECK_MS = 1_000;
const EVERYWHERE: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** The room of console terminals. */
export function createTerminals(parts: TerminalRoomParts): Room {
  const { settings, listening, authenticator } = parts;
  const isEnabled = () => isTerminalEnabled(settings);
  const service = createTerminalService({
    ...parts,
    logger: parts.logger.room('terminal'),
    isEnabled,
    url: () => {
      const { host, port } = listening();
      return `http://${urlHost(EVERYWHERE[host] ?? host)}:${port}`;
    },
  });
  let timer: NodeJS.Timeout | undefined;
  let forget = () => undefined as void;
  return defineRoom({
    name: 'terminal',
    served: terminalServedRoutes(service, authenticator),
    settings: {
      names: TERMINAL_SETTINGS,
      changed: async () => {
        if (!isEnabled()) await service.closeAll('turned_off');
      },
    },
    async start() {
      timer = setInterval(() => void service.check(), CHECK_MS);
      timer.unref();
      forget = authenticator.onChange(() => void service.check());
    },
    async close() {
      clearInterval(timer);
      forget();
      await service.stop();
    },
    catchUp: () => service.check(),
  });
}
