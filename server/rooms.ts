import { join } from 'node:path';
import { createAuditSinks } from './adapters/audit/create-sinks.ts';
import type { Provider } from './adapters/providers/provider-port.ts';
import { createLocalStorage } from './adapters/storage/local.ts';
import type { BootOptions } from './config/boot.ts';
import type { Environment } from './config/env.ts';
import { dataKey, installationKey } from './config/secrets.ts';
import { openConsole } from './console.ts';
import type { Database } from './db/database.ts';
import { createDocuments } from './documents/documents.ts';
import { type Access, createAccess } from './features/access/room.ts';
import { auditServedRoutes } from './features/audit/routes.ts';
import {
  type AuditTrail,
  createAuditReading,
  createAuditTrail,
  createSecurityAudit,
  type SecurityAudit,
} from './features/audit/service.ts';
import { consoleServedRoutes } from './features/console/routes.ts';
import { createDocumentNames } from './features/inbound/document-names.ts';
import type { InboundAnnouncements } from './features/inbound/parts.ts';
import { inboundServedRoutes } from './features/inbound/routes.ts';
import { callbackServedRoutes } from './features/outbound/callback-routes.ts';
import type { FaxAnnouncements } from './features/outbound/parts.ts';
import { outboundServedRoutes } from './features/outbound/routes.ts';
import { OutboundService } from './features/outbound/service.ts';
import { pairingServedRoutes } from './features/pairing/routes.ts';
import { settingsServedRoutes } from './features/settings/routes.ts';
import {
  auditConfigurationOf,
  createCatalog,
  openSettings,
  type Settings,
} from './features/settings/service.ts';
import { HttpsDoor } from './https-door.ts';
import { openInbound } from './inbound.ts';
import { Queue } from './jobs/queue.ts';
import { openPairing } from './pairing.ts';
import type { Clock } from './platform/clock.ts';
import { createAnnouncer } from './platform/events.ts';
import type { Logger, LogLevel } from './platform/logger.ts';
import { createSeal, type Seal } from './platform/seal.ts';
import { addressChecks, callbackAddresses, createProviders, notificationAddresses } from './providers.ts';
import { accessSettings, outboundSettings } from './room-settings.ts';
import { createTransports } from './transports.ts';

/** What stands before there are rooms. */
export interface Foundation {
  readonly boot: BootOptions;
  readonly environment: Environment;
  readonly db: Database;
  readonly clock: Clock;
  readonly providers: readonly Provider[];
  /** Used until the settings say how much is logged. */
  readonly logger: Logger;
  loggerAt(level: LogLevel): Logger;
  readonly listening: () => { host: string; port: number };
}

export type Rooms = Awaited<ReturnType<typeof openRooms>>;

/** Builds every room once, low to high, and wires the ports that run upward. */
export async function openRooms(foundation: Foundation) {
  const { boot, db, clock, providers } = foundation;
  const { dataFolder } = boot;
  const secret = await dataKeyOf(foundation);
  const seal = createSeal(secret);
  const securityAudit = createSecurityAudit({ clock });
  const { routing, checkProvider, receivers } = createProviders(providers, () => settings, clock);
  const settings = await openSettings({
    db,
    clock,
    logger: foundation.logger,
    seal,
    checkProvider,
    dataFolder,
    audit: securityAudit,
    environment: foundation.environment,
    catalog: createCatalog(providers),
    formerDefaultBackend: null,
    checks: addressChecks(providers),
  });
  const logger = foundation.loggerAt(settings.get('LOG_LEVEL'));
  const https = new HttpsDoor({ settings, dataFolder, seal, clock, logger: logger.room('https') });
  const below = { settings, securityAudit, seal, https };
  const access = await openAccess({ ...foundation, logger }, below);
  const auditTrail = openAuditTrail(settings, dataFolder, logger);
  const documents = createDocuments();
  const queue = new Queue(db, clock);
  const announcer = createAnnouncer<FaxAnnouncements & InboundAnnouncements>((error) =>
    logger.error({ error }, 'a listener failed'),
  );
  const storage = await createLocalStorage(join(dataFolder, 'files'));
  const shared = { db, queue, clock, seal, documents, announcer, storage, logger };
  const outbound = new OutboundService({
    ...shared,
    logger: logger.room('outbound'),
    audit: auditTrail,
    transports: createTransports(routing),
    settings: outboundSettings(settings),
    workDirectory: join(dataFolder, 'work'),
  });
  const lower = { settings, audit: securityAudit, https };
  const inbound = openInbound({ ...shared, ...lower, dataFolder, receivers });
  const pairing = openPairing({ ...foundation, ...lower, access: access.service, dataKey: secret });
  const desk = openConsole({ ...foundation, ...lower, logger, routing, outbound, inbound });
  announcer.on('fax.changed', (fax) => desk.events.faxChanged(fax));
  announcer.on('inbound.changed', (fax) => desk.events.inboundChanged(fax));
  const rooms = { settings, auditTrail, documents, queue, outbound, inbound, pairing, access };
  const served = [
    ...access.served,
    ...auditServedRoutes(createAuditReading({ db, clock })),
    ...settingsServedRoutes({ settings }),
    ...outboundServedRoutes(outbound),
    ...callbackServedRoutes(outbound, callbackAddresses(providers)),
    ...inboundServedRoutes(inbound, clock, notificationAddresses(providers)),
    ...pairingServedRoutes(pairing),
    ...consoleServedRoutes(desk, access.authenticator),
  ];
  return { ...rooms, console: desk, https, logger, served };
}

function dataKeyOf({ boot, logger }: Foundation): Promise<Uint8Array> {
  return dataKey({ dataFolder: boot.dataFolder, given: boot.dataKey, logger: logger.room('config') });
}

async function openAccess(
  { boot, db, clock, logger, listening }: Foundation,
  lower: { settings: Settings; securityAudit: SecurityAudit; seal: Seal; https: HttpsDoor },
): Promise<Access> {
  const { settings, securityAudit, seal, https } = lower;
  const { dataFolder, apiKey } = boot;
  const requireApiKey = settings.get('REQUIRE_API_KEY');
  return createAccess({
    db,
    clock,
    listening: () => ({ ...listening(), secureOrigins: https.origins() }),
    logger,
    audit: securityAudit,
    seal,
    settings: accessSettings(settings),
    installationKey: await installationKey({
      dataFolder,
      apiKey,
      requireApiKey,
      logger: logger.room('config'),
    }),
    documents: createDocumentNames(() => settings.get('TIME_ZONE')),
  });
}

function openAuditTrail(settings: Settings, dataFolder: string, logger: Logger): AuditTrail {
  const room = logger.room('audit');
  return createAuditTrail({
    configuration: auditConfigurationOf(settings, dataFolder),
    openSinks: (configuration) =>
      createAuditSinks(configuration, {
        log: (event) => room.info(event, 'audit'),
        onError: (error) => room.error({ error }, 'audit lines could not be written'),
      }),
    logger,
  });
}
