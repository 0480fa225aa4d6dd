import { join } from 'node:path';
import type { TokenAddresses } from '../adapters/mail/port.ts';
import type { ResolveDns } from '../adapters/mail/reading-port.ts';
import { createLibreOffice } from '../adapters/office/libreoffice.ts';
import type { PeerNetwork } from '../adapters/peers/port.ts';
import type { Provider, ProviderTools } from '../adapters/providers/provider-port.ts';
import { createLocalStorage } from '../adapters/storage/local.ts';
import { createObjectStorage } from '../adapters/storage/objects.ts';
import { openS3Bucket } from '../adapters/storage/s3/bucket.ts';
import { BootError, type BootOptions } from '../config/boot.ts';
import type { Environment } from '../config/env.ts';
import { RELEASE } from '../config/release.ts';
import type { Database } from '../db/database.ts';
import { createDocuments, type StartDocumentProcess } from '../documents/documents.ts';
import { createCountedEvents, createSecurityAudit } from '../features/audit/room.ts';
import { createRequestCounts, type Membership, type OwnGateway } from '../features/gateways/room.ts';
import type { InboundEvents } from '../features/inbound/room.ts';
import type { FaxEvents } from '../features/outbound/room.ts';
import { createCatalog, createSettings } from '../features/settings/room.ts';
import type { SettingsService } from '../features/settings/service.ts';
import { bucketSettings, createKeptBucket, shareDocuments } from '../features/storage/room.ts';
import type { StartTerminalProcess } from '../features/terminal/terminal-process-port.ts';
import type { WorkEvents } from '../features/work/room.ts';
import { connectionLimits, createConnections } from '../http/connections.ts';
import { createMinuteLimits } from '../http/rate-limit.ts';
import { createUnverifiedBodies } from '../http/unverified-bodies.ts';
import { createQueue } from '../jobs/queue.ts';
import type { WorkPermit } from '../jobs/work-permit.ts';
import { createAllowedFolders } from '../platform/allowed-folders.ts';
import type { Announcements } from '../platform/announcements.ts';
import type { Clock } from '../platform/clock.ts';
import { createEventBus } from '../platform/events.ts';
import { renewHeader } from '../platform/header-journal.ts';
import type { Logger, LogLevel } from '../platform/logger.ts';
import { makeFolder } from '../platform/make-folder.ts';
import { isLoopbackHost } from '../platform/public-address.ts';
import type { FileSealer } from '../platform/sealed-file.ts';
import type { Timers } from '../platform/timers.ts';
import type { RestoreFile } from './backups.ts';
import { openDataKey } from './data-key.ts';
import { addressChecks, createProviders } from './providers.ts';
import { proxyCheck, requestSettings } from './request-settings.ts';
import { DOCUMENT_OWNERS } from './store.ts';
import type { ConsoleUpgrade } from './upgrade.ts';

/** Time after which a bucket without any progress is given up. */
const BUCKET_PATIENCE_MS = 20_000;

/** Parts of a start that exist before any other: the opened store and the options of whoever starts the gateway. */
export interface Foundation {
  readonly boot: BootOptions;
  readonly environment: Environment;
  readonly db: Database;
  /** This gateway, and its place among those on the database; null where that is for one process. */
  readonly own: OwnGateway;
  readonly membership: Membership | null;
  /** To and from the other gateways. */
  readonly announcements: Announcements;
  /** Permit for background work. */
  readonly permit: WorkPermit;
  readonly clock: Clock;
  /** Clock in place of that of a PostgreSQL database; the latter when left out. */
  readonly databaseClock?: Clock | undefined;
  readonly providers: readonly Provider[];
  /** Used until the settings give the log level. */
  readonly logger: Logger;
  loggerAt(level: LogLevel): Logger;
  readonly listening: () => { host: string; port: number };
  /** Warnings about the start, such as files of the data folder that other accounts can open; sentences. */
  readonly startWarnings: readonly string[];
  /** Stops the gateway, restores a backup and starts again; left out where the starting program cannot. */
  readonly restore?: RestoreFile | undefined;
  /** Upgrades ordered in the console; left out where the starting program cannot start again. */
  readonly upgrade?: ConsoleUpgrade | undefined;
  /** DNS lookups; those of the system when left out. */
  readonly resolveDns?: ResolveDns | undefined;
  /** Timers of the threads that read e-mail; tests pass their own. */
  readonly mailTimers?: Timers | undefined;
  /** Starts the process of documents; as a child process when left out. */
  readonly startDocumentProcess?: StartDocumentProcess;
  /** Starts the process of a console terminal; as a child process when left out. */
  readonly startTerminalProcess?: StartTerminalProcess;
  /** Network of partners; that of the computer when left out. */
  readonly peerNetwork?: PeerNetwork | undefined;
  /** Milliseconds after which a bucket without any progress is given up; 20 s when left out. */
  readonly bucketPatienceMs?: number | undefined;
  /** Addresses at which mail providers give access tokens; their own when left out. */
  readonly tokenAddresses?: TokenAddresses | undefined;
}

export type Dependencies = Awaited<ReturnType<typeof createDependencies>>;

/**
 * Creates the dependencies that rooms share, each once: data key, settings, logger, audit, providers, queue, documents,
 * storage, events and limits of callers. `tools` are the dependencies of the providers. Throws BootError and SettingsStartError.
 */
export async function createDependencies(foundation: Foundation, tools: ProviderTools) {
  const { boot, environment, db, clock, listening, announcements } = foundation;
  const { dataFolder } = boot;
  const { keys: dataKeys, fileKeys, hashSecret, seal, files } = await openDataKey(foundation);
  const securityAudit = createSecurityAudit({ clock, seal });
  const folders = createAllowedFolders({ dataFolder, startFolders: boot.folders ?? [] });
  // Settings and providers need each other: providers read them, and settings have providers check an account.
  const providers = createProviders(foundation.providers, () => settingsRoom.service, tools);
  const settingsRoom = await createSettings({
    db,
    clock,
    logger: foundation.logger,
    seal,
    checkProvider: providers.checkProvider,
    dataFolder,
    audit: securityAudit,
    environment,
    catalog: createCatalog(foundation.providers),
    folders,
    formerDefaultBackend: null,
    release: RELEASE,
    checks: addressChecks(foundation.providers),
    isNetworkOff: boot.isNetworkOff ?? false,
    hasLocalHttps: boot.hasLocalHttps ?? false,
  });
  const settings = settingsRoom.service;
  const logger = foundation.loggerAt(settings.get('LOG_LEVEL'));
  const callerLimits = createCallerLimits(foundation, settings, logger);
  const { storage, kept } = await openStorage(foundation, { sealer: files, settings, logger });
  const documents = createDocuments({
    folders: await documentFolders(dataFolder),
    office: {
      converter: createLibreOffice({
        program: boot.libreOffice,
        environment,
        logger: logger.room('documents'),
      }),
      folder: join(dataFolder, 'work'),
      newKey: () => storage.newKey(),
    },
    logger: logger.room('documents'),
    ...(foundation.startDocumentProcess ? { start: foundation.startDocumentProcess } : {}),
  });
  return {
    /** The dependencies that nearly every room has. */
    common: {
      db,
      clock,
      permit: foundation.permit,
      logger,
      seal,
      settings,
      dataFolder,
      listening,
      minuteLimit: callerLimits.minuteLimit,
      announcements,
    },
    /** The dependencies of rooms that work on faxes. */
    faxDependencies: {
      queue: createQueue(db, clock, announcements),
      documents,
      storage,
      events: createEventBus<FaxEvents & InboundEvents & WorkEvents>((error) =>
        logger.error({ error }, 'a listener failed'),
      ),
    },
    storageParts: { storage, bucket: storage.bucket, kept, owners: DOCUMENT_OWNERS },
    callerLimits,
    dataKeys,
    fileKeys,
    hashSecret,
    folders,
    securityAudit,
    counted: createCountedEvents({ db, clock, seal, logger: logger.room('audit') }),
    providers,
    settingsRoom,
  };
}

/** Creates the limits of what callers may hold and request. */
function createCallerLimits({ boot, clock, db }: Foundation, settings: SettingsService, logger: Logger) {
  const isProxy = proxyCheck(requestSettings(settings).trustedProxies);
  const counts = boot.severalGateways ? createRequestCounts({ db, logger: logger.room('http') }) : null;
  return {
    connections: createConnections({
      clock,
      logger: logger.room('http'),
      limits: connectionLimits(),
      // Addresses of several callers: windows, programs and tunnels of this computer, and proxies.
      isShared: (address) => isLoopbackHost(address) || isProxy(address),
    }),
    unverifiedBodies: createUnverifiedBodies(clock),
    minuteLimit: createMinuteLimits(clock, counts),
  };
}

/** Opens the storage of documents: the folder, and the bucket of the settings. */
async function openStorage(
  { boot, db, bucketPatienceMs = BUCKET_PATIENCE_MS }: Foundation,
  parts: { sealer: FileSealer; settings: SettingsService; logger: Logger },
) {
  const { sealer, settings } = parts;
  const { dataFolder } = boot;
  const kept = createKeptBucket(bucketSettings(settings));
  const renew = (path: string) => renewHeader(dataFolder, path, sealer);
  const storage = createObjectStorage({
    local: await createLocalStorage(join(dataFolder, 'files'), {
      sealer,
      isOn: () => settings.get('ENCRYPT_DOCUMENTS'),
      renewHeader: renew,
    }),
    settings: kept,
    open: (place) => openS3Bucket(place, { patienceMs: bucketPatienceMs }),
    folder: join(dataFolder, 'work', 'objects'),
    sealer,
    renewHeader: renew,
    logger: parts.logger.room('storage'),
  });
  const problem = boot.severalGateways
    ? await shareDocuments({ db, storage, owners: DOCUMENT_OWNERS }, kept)
    : null;
  if (problem !== null) throw new BootError(problem);
  return { storage, kept };
}

/** Returns the folders of documents, in work and stored: the only ones that their process can access. */
async function documentFolders(dataFolder: string): Promise<string[]> {
  const folders = [join(dataFolder, 'work'), join(dataFolder, 'files')];
  for (const folder of folders) await makeFolder(folder);
  return folders;
}
