import { join } from 'node:path';
import { createAuditChain, createAuditSinks } from './adapters/audit/create-sinks.ts';
import { createCertificates } from './adapters/certificates/certificates.ts';
import type { Provider } from './adapters/providers/provider-port.ts';
import { createLocalStorage } from './adapters/storage/local.ts';
import type { Storage } from './adapters/storage/port.ts';
import type { BootOptions } from './config/boot.ts';
import type { Environment } from './config/env.ts';
import { dataKey, installationKey } from './config/secrets.ts';
import type { Database } from './db/database.ts';
import { createDocuments, type Documents, type StartDocumentProcess } from './documents/documents.ts';
import { accessSettings, createAccess, hasSettledOwner } from './features/access/room.ts';
import {
  createAudit,
  createCountedEvents,
  createSecurityAudit,
  type OpenSinks,
} from './features/audit/room.ts';
import { createConsole } from './features/console/room.ts';
import { createHttps } from './features/https/room.ts';
import { createInbound, type InboundEvents } from './features/inbound/room.ts';
import { createOutbound, type FaxEvents } from './features/outbound/room.ts';
import { createPairing } from './features/pairing/room.ts';
import type { Room } from './features/room.ts';
import { createRouting } from './features/routing/room.ts';
import { createCatalog, createSettings, type Settings } from './features/settings/room.ts';
import { createTelephony } from './features/telephony/room.ts';
import { gatewayFacts } from './gateway-facts.ts';
import type { Authenticator } from './http/caller.ts';
import { type Connections, connectionLimits, createConnections } from './http/connections.ts';
import { createUnverifiedBodies, type UnverifiedBodies } from './http/unverified-bodies.ts';
import { createQueue, type Queue } from './jobs/queue.ts';
import { createKnownCallers, type KnownCallers } from './known-callers.ts';
import { backupMaker } from './make-backup.ts';
import { type AllowedFolders, createAllowedFolders } from './platform/allowed-folders.ts';
import type { Clock } from './platform/clock.ts';
import { createAnnouncer } from './platform/events.ts';
import type { Logger, LogLevel } from './platform/logger.ts';
import { makeFolder } from './platform/make-folder.ts';
import { isLoopbackHost } from './platform/public-address.ts';
import { createSeal } from './platform/seal.ts';
import { createFileSealer } from './platform/sealed-file.ts';
import { addressChecks, callbackAddresses, createProviders, notificationAddresses } from './providers.ts';
import { proxyCheck, requestSettings } from './request-settings.ts';
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
  /** What of the data folder other accounts of this computer can open, in sentences. */
  readonly folderWarnings: readonly string[];
  /** How the process of documents is started; as a child of this one when left out. */
  readonly startDocumentProcess?: StartDocumentProcess;
}

export interface Rooms {
  /** Low to high: the order of the start, and backwards of the stop. */
  readonly list: readonly Room[];
  readonly settings: Settings;
  readonly authenticator: Authenticator;
  readonly knownCallers: KnownCallers;
  /** Faxes by state. */
  countFaxes(): Promise<Record<string, number>>;
  /** What went wrong with the reports of providers, by kind. */
  countReportProblems(): Promise<Record<string, number>>;
  /** What somebody should look at although faxes are taken, from every room. */
  warnings(): Promise<string[]>;
  /** The installation key while nobody owns the installation, else null. */
  firstOwnerKey(): Promise<string | null>;
  readonly queue: Queue;
  readonly documents: Documents;
  readonly storage: Storage;
  /** What callers may hold at most. */
  readonly callerLimits: { readonly connections: Connections; readonly unverifiedBodies: UnverifiedBodies };
  readonly logger: Logger;
}

/** Builds every room once, low to high. What a lower room needs of a higher one is asked for when it is needed. */
export async function createRooms(foundation: Foundation): Promise<Rooms> {
  const base = await createBase(foundation);
  const { providers, settings, routing, audit, securityAudit, counted, https, common, callerLimits } = base;
  const reached = howReached(foundation, base);
  const { noteDocumentRead, ...access } = createAccess({
    ...common,
    ...reached,
    audit: securityAudit,
    counted,
    installationKey: await installationKeyOf(foundation, common.logger),
    documents: { find: (reading, ids) => inbound.documentNames.find(reading, ids) },
  });
  const tools = await createFaxTools(foundation, base);
  const faxes = { ...common, ...callerLimits, ...tools, noteDocumentRead };
  const outbound = createOutbound({
    ...faxes,
    audit: audit.trail,
    transports: createTransports(routing.service),
    callbacks: callbackAddresses(foundation.providers),
  });
  const inbound = createInbound({
    ...faxes,
    audit: securityAudit,
    receivers: providers.receivers,
    notifications: notificationAddresses(foundation.providers),
  });
  const telephony = createTelephony({ ...faxes, audit: securityAudit, inbound: inbound.service });
  inbound.addSource(telephony.source);
  const services = { access: access.service, https: https.service, audit: securityAudit };
  const ofPeople = { ...common, ...services, dataKey: base.secret };
  const pairing = createPairing(ofPeople);
  const lower = [audit, settings, https, access, routing, outbound, inbound, telephony, pairing];
  const reportProblems = () => reportsOf(routing, outbound);
  const warnings = async () => [...foundation.folderWarnings, ...(await warningsOf(lower))];
  const consoleRoom = createConsole({
    ...ofPeople,
    routing: routing.service,
    outbound: outbound.service,
    inbound: inbound.service,
    hasOwner: () => access.hasOwner(),
    authenticator: access.authenticator,
    ...shownOf(lower),
    gateway: { ...gatewayFacts(foundation), warnings, reportProblems },
    makeBackup: backupMaker(foundation.boot, foundation.clock),
  });
  return {
    list: [...lower, consoleRoom],
    settings: common.settings,
    authenticator: access.authenticator,
    knownCallers: createKnownCallers({ ...reached, https: https.service }),
    countFaxes: () => outbound.service.counts(),
    countReportProblems: async () => countByKind(await reportProblems()),
    warnings,
    firstOwnerKey: () => access.firstOwnerKey(),
    ...sharedOf(tools),
    callerLimits,
    logger: common.logger,
  };
}

/** What went wrong with the reports of providers: what was refused, and what never came. */
async function reportsOf(
  { reportProblems }: ReturnType<typeof createRouting>,
  { service }: ReturnType<typeof createOutbound>,
) {
  return [...(await reportProblems.list()), ...(await service.reportProblems())];
}

/** What consoles show of the other rooms: what changes in them, and whether one of them keeps a work queue. */
function shownOf(rooms: readonly Room[]) {
  return {
    events: rooms.flatMap(({ events }) => events),
    hasWorkQueue: rooms.some(({ name }) => name === 'work'),
  };
}

/** What the gateway itself uses of the tools of faxes. */
function sharedOf({ queue, documents, storage }: Awaited<ReturnType<typeof createFaxTools>>) {
  return { queue, documents, storage };
}

async function warningsOf(rooms: readonly Room[]): Promise<string[]> {
  return (await Promise.all(rooms.map((room) => room.warnings()))).flat();
}

function countByKind(found: readonly { problem: string; count: number }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { problem, count } of found) counts[problem] = (counts[problem] ?? 0) + count;
  return counts;
}

/** The settings, and the rooms that need nothing but them. */
async function createBase(foundation: Foundation) {
  const { boot, environment, db, clock, listening } = foundation;
  const { dataFolder } = boot;
  const secret = await dataKeyOf(foundation);
  const seal = createSeal(secret);
  const securityAudit = createSecurityAudit({ clock, seal });
  const folders = createAllowedFolders({ dataFolder, startFolders: boot.folders ?? [] });
  const providers = createProviders(foundation.providers, () => settings.service, clock);
  const settings = await createSettings({
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
    checks: addressChecks(foundation.providers),
  });
  const logger = foundation.loggerAt(settings.service.get('LOG_LEVEL'));
  const common = { db, clock, logger, seal, settings: settings.service, dataFolder, listening };
  const counted = createCountedEvents({ db, clock, seal, logger: logger.room('audit') });
  const chain = createAuditChain(join(dataFolder, 'audit-log.end'), seal);
  const audit = createAudit({
    ...common,
    counted,
    openSinks: auditSinks(logger.room('audit'), folders),
    chain,
  });
  const certificates = ({ newName }: { newName: () => string }) =>
    createCertificates({ dataFolder, seal, clock, newName });
  const isProxy = proxyCheck(requestSettings(settings.service).trustedProxies);
  const connections = createConnections({
    clock,
    logger: logger.room('http'),
    limits: connectionLimits(),
    // The windows and programs of this computer, perhaps a tunnel, and whoever comes through a proxy.
    isShared: (address) => isLoopbackHost(address) || isProxy(address),
  });
  const https = createHttps({ ...common, connections, certificates });
  const routing = createRouting(providers.routing, common);
  return {
    secret,
    common,
    settings,
    securityAudit,
    counted,
    audit,
    callerLimits: { connections, unverifiedBodies: createUnverifiedBodies(clock) },
    https,
    routing,
    providers,
  };
}

/** The addresses of the gateway, as it listens and as the settings have them. */
function howReached({ listening }: Foundation, { https, common }: Awaited<ReturnType<typeof createBase>>) {
  return {
    listening: () => ({ ...listening(), secureOrigins: https.service.origins() }),
    settings: accessSettings(common.settings),
  };
}

/** What both rooms of faxes work with. */
async function createFaxTools(
  { boot, db, clock, startDocumentProcess }: Foundation,
  { common, routing, secret }: Awaited<ReturnType<typeof createBase>>,
) {
  const announcer = createAnnouncer<FaxEvents & InboundEvents>((error) =>
    common.logger.error({ error }, 'a listener failed'),
  );
  const storage = await createLocalStorage(join(boot.dataFolder, 'files'), {
    sealer: createFileSealer(secret),
    isOn: () => common.settings.get('ENCRYPT_DOCUMENTS'),
  });
  return {
    queue: createQueue(db, clock),
    documents: createDocuments({
      folders: await documentFolders(boot.dataFolder),
      logger: common.logger.room('documents'),
      ...(startDocumentProcess ? { start: startDocumentProcess } : {}),
    }),
    storage,
    announcer,
    reportProblems: routing.reportProblems,
  };
}

/** Where documents lie, on their way and stored: the only ones that their process sees. */
async function documentFolders(dataFolder: string): Promise<string[]> {
  const folders = [join(dataFolder, 'work'), join(dataFolder, 'files')];
  for (const folder of folders) await makeFolder(folder);
  return folders;
}

function dataKeyOf({ boot, logger }: Foundation): Promise<Uint8Array> {
  return dataKey({ dataFolder: boot.dataFolder, given: boot.dataKey, logger: logger.room('config') });
}

async function installationKeyOf({ boot, db }: Foundation, logger: Logger): Promise<string | null> {
  return await installationKey({
    ...boot,
    hasOwner: await hasSettledOwner(db.read),
    logger: logger.room('config'),
  });
}

function auditSinks(logger: Logger, folders: AllowedFolders): OpenSinks {
  return (configuration) =>
    createAuditSinks(configuration, {
      log: (event) => logger.info(event, 'audit'),
      onError: (error) => logger.error({ error }, 'audit lines could not be written'),
      mayWrite: (file) => 'path' in folders.check('AUDIT_LOG_FILE', file, { kind: 'file', own: 'audit' }),
    });
}
