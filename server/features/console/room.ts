import type { Database } from '../../db/database.ts';
import type { Authenticator } from '../../http/caller.ts';
import type { Announcements } from '../../platform/announcements.ts';
import type { Clock } from '../../platform/clock.ts';
import { createKeyedHash, type KeyedHash } from '../../platform/hash.ts';
import type { Logger } from '../../platform/logger.ts';
import { assertSealing, type Seal } from '../../platform/seal.ts';
import type { SecurityAudit } from '../audit/service.ts';
import type { HttpsService } from '../https/service.ts';
import type { InboundService } from '../inbound/service.ts';
import type { OutboundService } from '../outbound/service.ts';
import { defineRoom, type EventSource, type Room } from '../room.ts';
import type { RouteChoice, Routing } from '../routing/service.ts';
import type { Settings } from '../settings/service.ts';
import type { BackupsParts, MakeBackup } from './backups.ts';
import type { BackupProblem, RestoreFile } from './opening-identities.ts';
import { consoleServedRoutes } from './routes.ts';
import { type ConsoleService, createConsoleService } from './service.ts';
import { CONSOLE_SETTINGS } from './settings.ts';
import type { StatusParts } from './status.ts';

export type { MakeBackup, PlannedBackup } from './backups.ts';

const TICK_MS = 60_000;

interface ConsoleRoomParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly dataFolder: string;
  readonly hashSecret: Uint8Array;
  readonly seal: Pick<Seal, 'problem'>;
  readonly audit: SecurityAudit;
  readonly settings: Settings;
  readonly routes: { readonly service: Routing; readonly choice: Pick<RouteChoice, 'enabledNames'> };
  readonly https: HttpsService;
  readonly outbound: OutboundService;
  readonly inbound: InboundService;
  readonly hasOwner: () => Promise<boolean>;
  /** True when a room keeps a work queue. */
  readonly hasWorkQueue: boolean;
  /** Authenticates the caller of an open stream again. */
  readonly authenticator: Authenticator;
  /** Event sources of all other rooms. */
  readonly events: readonly EventSource[];
  readonly announcements: Announcements;
  /** Status facts of the gateway itself. */
  readonly gateway: Omit<StatusParts, 'dataFolder' | 'httpsProblem' | keyof ReturnType<typeof factsOfFaxes>>;
  readonly makeBackup: MakeBackup;
  readonly readBackupContents: BackupsParts['readContents'];
  /** Stops the gateway, restores this file and starts again; null where the starting program does not support it. */
  readonly restore: RestoreFile | null;
  readonly backupProblem: BackupProblem;
}

interface ConsoleRoom extends Room {
  readonly service: Pick<ConsoleService, 'planBackup' | 'checkProblems'>;
}

/**
 * Creates the room that serves consoles beside the rooms of the field: the caller's identity, changes, logs and
 * backups.
 */
export function createConsole(parts: ConsoleRoomParts): ConsoleRoom {
  const { logger, outbound, inbound, routes, https, gateway, hasOwner, authenticator } = parts;
  const service = createConsoleService({
    ...parts,
    logger: logger.room('console'),
    draftKeyOf: draftKeys(parts),
    receivingThrough: () => inbound.facts().through,
    routing: routes.service,
    routeNames: () => routes.choice.enabledNames(),
    facts: {
      hasOwner,
      hasDelivered: async () => (await outbound.lastDeliveredAt()) !== null,
      receiving: () => inbound.facts(),
      completeAddress: (backend) => inbound.completeAddress(backend),
    },
    status: { ...gateway, ...factsOfFaxes(parts), httpsProblem: () => https.problem() },
  });
  let timer: NodeJS.Timeout | undefined;
  const room = defineRoom({
    name: 'console',
    served: consoleServedRoutes(service, authenticator),
    settings: { names: CONSOLE_SETTINGS, changed: async () => undefined },
    async start() {
      await service.start();
      timer = setInterval(() => void everyMinute(service), TICK_MS);
      timer.unref();
    },
    close: async () => service.endStreams(),
    async stop() {
      clearInterval(timer);
      await service.stop();
    },
    catchUp: () => everyMinute(service),
    warnings: () => service.warnings(),
    figures: () => service.figures(),
  });
  return { ...room, service };
}

async function everyMinute(service: ConsoleService): Promise<void> {
  await Promise.all([service.probeProviders(), service.makeDailyBackup()]);
}

function factsOfFaxes({ outbound, inbound }: Pick<ConsoleRoomParts, 'outbound' | 'inbound'>) {
  return {
    faxes: () => outbound.counts(),
    receiving: () => inbound.facts(),
    lastDeliveredAt: () => outbound.lastDeliveredAt(),
    lastReceivedAt: () => inbound.lastReceivedAt(),
  };
}

/** A draft that was sealed with the right key must not meet another one. */
function draftKeys({ hashSecret, seal }: Pick<ConsoleRoomParts, 'hashSecret' | 'seal'>): KeyedHash {
  const hash = createKeyedHash(hashSecret, 'drafts');
  return (text) => {
    assertSealing(seal);
    return hash(text);
  };
}
