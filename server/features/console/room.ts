import type { Database } from '../../db/database.ts';
import type { Authenticator } from '../../http/caller.ts';
import type { Clock } from '../../platform/clock.ts';
import { createKeyedHash } from '../../platform/keyed-hash.ts';
import type { Logger } from '../../platform/logger.ts';
import type { SecurityAudit } from '../audit/service.ts';
import type { HttpsService } from '../https/service.ts';
import type { InboundService } from '../inbound/service.ts';
import type { OutboundService } from '../outbound/service.ts';
import { defineRoom, type EventSource, type Room } from '../room.ts';
import type { Routing } from '../routing/service.ts';
import type { Settings } from '../settings/service.ts';
import type { MakeBackup } from './backups.ts';
import { consoleServedRoutes } from './routes.ts';
import { createConsoleService } from './service.ts';
import { CONSOLE_SETTINGS } from './settings.ts';
import type { StatusParts } from './status.ts';

export type { MakeBackup } from './backups.ts';

export interface ConsoleRoomParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly dataFolder: string;
  readonly dataKey: Uint8Array;
  readonly audit: SecurityAudit;
  readonly settings: Settings;
  readonly routing: Routing;
  readonly https: HttpsService;
  readonly outbound: OutboundService;
  readonly inbound: InboundService;
  readonly hasOwner: () => Promise<boolean>;
  /** Whether a room keeps a work queue. */
  readonly hasWorkQueue: boolean;
  /** Looks again who listens to an open stream. */
  readonly authenticator: Authenticator;
  /** What every other room tells. */
  readonly events: readonly EventSource[];
  /** What the gateway knows of itself. */
  readonly gateway: Omit<StatusParts, 'dataFolder' | 'httpsProblem' | 'faxes'>;
  readonly makeBackup: MakeBackup;
}

/** What consoles need beside the rooms of the field: who they are, what changes, logs and backups. */
export function createConsole(parts: ConsoleRoomParts): Room {
  const { logger, outbound, inbound, https, gateway, hasOwner, authenticator } = parts;
  const service = createConsoleService({
    ...parts,
    logger: logger.room('console'),
    draftKeyOf: createKeyedHash(parts.dataKey, 'drafts'),
    receivingThrough: () => inbound.facts().through,
    facts: {
      hasOwner,
      hasDelivered: () => outbound.hasDelivered(),
      receiving: () => inbound.facts(),
      completeAddress: (backend) => inbound.completeAddress(backend),
    },
    status: { ...gateway, httpsProblem: () => https.problem(), faxes: () => outbound.counts() },
  });
  return defineRoom({
    name: 'console',
    served: consoleServedRoutes(service, authenticator),
    settings: { names: CONSOLE_SETTINGS, changed: async () => undefined },
    start: () => service.start(),
    close: async () => service.endStreams(),
    stop: () => service.stop(),
  });
}
