import { join } from 'node:path';
import { createAuditChain } from './adapters/audit/create-sinks.ts';
import { createCertificates } from './adapters/certificates/certificates.ts';
import type { TokenAddresses } from './adapters/mail/port.ts';
import type { ResolveDns } from './adapters/mail/reading-port.ts';
import type { Provider } from './adapters/providers/provider-port.ts';
import type { Storage } from './adapters/storage/port.ts';
import { auditSinks } from './audit-sinks.ts';
import { lookInto } from './backup/look-into.ts';
import type { BootOptions } from './config/boot.ts';
import type { Environment } from './config/env.ts';
import { installationKey } from './config/secrets.ts';
import { openDataKey } from './data-key.ts';
import type { Database } from './db/database.ts';
import type { Documents, StartDocumentProcess } from './documents/documents.ts';
import { createFaxTools } from './fax-tools.ts';
import { accessSettings, createAccess, hasSettledOwner } from './features/access/room.ts';
import { createAudit, createCountedEvents, createSecurityAudit } from './features/audit/room.ts';
import { createConsole } from './features/console/room.ts';
import { createContacts } from './features/contacts/room.ts';
import { createHttps } from './features/https/room.ts';
import { createOutbound } from './features/outbound/room.ts';
import { createPairing } from './features/pairing/room.ts';
import type { Room } from './features/room.ts';
import { createRouting } from './features/routing/room.ts';
import { createCatalog, createSettings, type Settings } from './features/settings/room.ts';
import { createSigning } from './features/signing/room.ts';
import { createStorage } from './features/storage/room.ts';
import { gatewayFacts } from './gateway-facts.ts';
import type { Authenticator } from './http/caller.ts';
import { type Connections, connectionLimits, createConnections } from './http/connections.ts';
import { createUnverifiedBodies, type UnverifiedBodies } from './http/unverified-bodies.ts';
import type { Queue } from './jobs/queue.ts';
import { createKnownCallers, type KnownCallers } from './known-callers.ts';
import { backupMaker } from './make-backup.ts';
import { DOCUMENT_OWNERS } from './open-store.ts';
import { createAllowedFolders } from './platform/allowed-folders.ts';
import type { Timers } from './platform/ami/timers.ts';
import type { Clock } from './platform/clock.ts';
import type { Logger, LogLevel } from './platform/logger.ts';
import { isLoopbackHost } from './platform/public-address.ts';
import { createProviderTools } from './provider-tools.ts';
import { addressChecks, createProviders } from './providers.ts';
import { createReceived } from './received-rooms.ts';
import type { RecordCounts } from './record-counts.ts';
import { proxyCheck, requestSettings } from './request-settings.ts';
import type { Restorer } from './restore-installation.ts';
import { countByKind, ownWarnings, warningsOf } from './room-reports.ts';
import { createSendingRooms } from './sending-rooms.ts';
import { quotedWays, waysOut } from './ways-out.ts';

/** Dependencies that exist before the rooms. */
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
  /** Warnings about the start, such as the parts of the data folder that other accounts can open, as sentences. */
  readonly startWarnings: readonly string[];
  /** Stops the gateway, restores a backup and starts it again; left out where the starter cannot do that. */
  readonly restore?: ((file: string, by: Restorer) => void) | undefined;
  /** DNS resolver; that of the system when left out. */
  readonly resolveDns?: ResolveDns | undefined;
  /** Waits of the threads that read e-mail; tests pass their own. */
  readonly mailTimers?: Timers | undefined;
  /**
   * Starter of the process of documents (a child by default), and the token endpoints of mail providers (their own by
   * default).
   */
  readonly startDocumentProcess?: StartDocumentProcess;
  readonly tokenAddresses?: TokenAddresses | undefined;
}

export interface Rooms {
  /** Low to high: the order of the start, and backwards of the stop. */
  readonly list: readonly Room[];
  readonly settings: Settings;
  readonly authenticator: Authenticator;
  readonly knownCallers: KnownCallers;
  /** Ends what is open to the providers, and the process of documents. */
  closeTools(): Promise<void>;
  readonly counts: RecordCounts;
  /** Counts the problems with the reports of providers, by kind. */
  countReportProblems(): Promise<Record<string, number>>;
  /** Collects the warnings of every room: things to check although faxes are taken. */
  warnings(): Promise<string[]>;
  /** The installation key while nobody owns the installation, else null. */
  firstOwnerKey(): Promise<string | null>;
  readonly queue: Queue;
  readonly documents: Documents;
  readonly storage: Storage;
  /** Limits for callers. */
  readonly callerLimits: { readonly connections: Connections; readonly unverifiedBodies: UnverifiedBodies };
  readonly logger: Logger;
  /** Reason why the data key is not that of the store; null when it is. */
  readonly keyProblem: string | null;
}

/** Builds every room once, low to high. Dependencies of a lower room on a higher one are resolved when needed. */
export async function createRooms(foundation: Foundation): Promise<Rooms> {
  const base = await createBase(foundation);
  const { routing, audit, securityAudit, counted, https, common, callerLimits } = base;
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
  const shared = sharedOf(tools, base);
  const contacts = createContacts({ ...common, audit: securityAudit, routes: routing.choice });
  const faxes = { ...common, ...callerLimits, ...tools, noteDocumentRead, contacts: contacts.service };
  const storage = createStorage({ ...common, ...tools, owners: DOCUMENT_OWNERS });
  const ways = waysOut(foundation, routing, () => ({ internal: inbound.service.internal, callLog }));
  const outbound = createOutbound({ ...faxes, audit: audit.trail, ...routing.ofFaxes, ...ways });
  routing.showWays(quotedWays(ways.transports, contacts.service));
  routing.showNames(contacts.service.namesOf);
  completeProviders(base, tools.documents, outbound.service);
  contacts.showNumbers(outbound.service.numberMemory);
  const ofReceived = { ...faxes, sentFaxes: outbound };
  const { inbound, callLog, mail, ...above } = createReceived(foundation, base, ofReceived, access.service);
  const services = { access: access.service, https: https.service, audit: securityAudit };
  const ofPeople = { ...common, ...services, dataKey: base.secret };
  const ofSending = { ...faxes, ...services, outbound: outbound.service, sentFaxes: outbound, mail };
  const upper = [...createSendingRooms(foundation, ofSending), createPairing(ofPeople)];
  const lower = [...base.list, storage, access, routing, contacts, outbound, ...above.list, ...upper];
  const reportProblems = () => reportsOf(routing, outbound);
  const warnings = () => warningsOf([...lower, consoleRoom], ownWarnings(foundation, base.common.seal));
  const consoleRoom = createConsole({
    ...ofPeople,
    routes: routing,
    outbound: outbound.service,
    inbound: inbound.service,
    hasOwner: () => access.hasOwner(),
    authenticator: access.authenticator,
    ...shownOf(lower),
    gateway: { ...gatewayFacts({ ...foundation, ...shared }), warnings, reportProblems },
    ...backupsOf(foundation, base),
  });
  return {
    list: [...lower, consoleRoom],
    settings: common.settings,
    authenticator: access.authenticator,
    knownCallers: createKnownCallers({ ...reached, https: https.service }),
    async closeTools() {
      base.providers.close();
      await tools.documents.close();
    },
    counts: { faxes: () => outbound.service.counts(), ...above.counts },
    countReportProblems: async () => countByKind(await reportProblems()),
    warnings,
    firstOwnerKey: () => access.firstOwnerKey(),
    ...shared,
    callerLimits,
  };
}

function providersOf({ providers: known, clock, boot }: Foundation, settings: () => Settings) {
  const providerTools = createProviderTools({ clock, dataFolder: boot.dataFolder });
  return { providerTools, providers: createProviders(known, settings, providerTools.tools) };
}

/** Supplies the dependencies of providers that are created after them. */
function completeProviders(
  { providerTools, common: { logger } }: Base,
  documents: Documents,
  outbound: ReturnType<typeof createOutbound>['service'],
): void {
  providerTools.complete({
    drawFax: async (pdf, outputPath, options) => await documents.rasterToTiff(pdf, outputPath, options),
    onNews(attemptId) {
      outbound.callbacks.news(attemptId).catch((error: unknown) => {
        logger.room('outbound').error({ error }, 'what happened to a fax could not be asked for');
      });
    },
    awaited: async (attemptIds) =>
      outbound.callbacks.awaited(attemptIds).catch((error: unknown) => {
        logger.room('outbound').error({ error }, 'which outcomes are still to come could not be read');
        return null;
      }),
  });
}

function backupsOf({ boot, clock, db, restore }: Foundation, { secret, common: { seal } }: Base) {
  const dataKey = seal.problem === null ? secret : null;
  const makeBackup = backupMaker(boot, { clock, damage: db.damage, dataKey });
  return { restore: restore ?? null, makeBackup, lookIntoBackup: lookInto };
}

/** Counts the problems with the reports of providers: refused ones and missing ones. */
async function reportsOf(
  { reportProblems }: ReturnType<typeof createRouting>,
  { service }: ReturnType<typeof createOutbound>,
) {
  return [...(await reportProblems.list()), ...(await service.reportProblems())];
}

/**
 * Returns the data that consoles show of the other rooms: their changes, and whether one of them keeps a work queue.
 */
function shownOf(rooms: readonly Room[]) {
  return {
    events: rooms.flatMap(({ events }) => events),
    hasWorkQueue: rooms.some(({ name }) => name === 'work'),
  };
}

/** Returns the tools that the gateway itself uses. */
function sharedOf(
  { queue, documents, storage }: Awaited<ReturnType<typeof createFaxTools>>,
  { common: { logger, seal } }: Base,
) {
  return { queue, documents, storage, logger, keyProblem: seal.problem };
}

type Base = Awaited<ReturnType<typeof createBase>>;

/** The settings, and the rooms that need nothing but them. */
async function createBase(foundation: Foundation) {
  const { boot, environment, db, clock, listening } = foundation;
  const { dataFolder } = boot;
  const { secret, seal, files } = await openDataKey(foundation);
  const securityAudit = createSecurityAudit({ clock, seal });
  const folders = createAllowedFolders({ dataFolder, startFolders: boot.folders ?? [] });
  const ofProviders = providersOf(foundation, () => settings.service);
  const settings = await createSettings({
    db,
    clock,
    logger: foundation.logger,
    seal,
    checkProvider: ofProviders.providers.checkProvider,
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
    // Addresses shared by many callers: the windows and programs of this computer, perhaps a tunnel, and callers behind
    // a proxy.
    isShared: (address) => isLoopbackHost(address) || isProxy(address),
  });
  const https = createHttps({ ...common, connections, certificates });
  const routing = createRouting(ofProviders.providers.routing, { ...common, audit: securityAudit });
  const signing = createSigning(common);
  return {
    secret,
    files,
    common,
    settings,
    securityAudit,
    counted,
    audit,
    callerLimits: { connections, unverifiedBodies: createUnverifiedBodies(clock) },
    https,
    routing,
    ...ofProviders,
    signing,
    list: [audit, settings, https, signing],
  };
}

/** The addresses of the gateway, as it listens and as the settings have them. */
function howReached({ listening }: Foundation, { https, common }: Base) {
  return {
    listening: () => ({ ...listening(), secureOrigins: https.service.origins() }),
    settings: accessSettings(common.settings),
  };
}

async function installationKeyOf({ boot, db }: Foundation, logger: Logger): Promise<string | null> {
  return await installationKey({
    ...boot,
    hasOwner: await hasSettledOwner(db.read),
    logger: logger.room('config'),
  });
}
