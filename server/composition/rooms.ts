import { promises as dns } from 'node:dns';
import { join } from 'node:path';
import { createAuditChain, createAuditSinks } from '../adapters/audit/create-sinks.ts';
import { createDirectories } from '../adapters/directory/ldap.ts';
import { createImapFolders } from '../adapters/mail/imap.ts';
import { createMailReader } from '../adapters/mail/mail-threads.ts';
import type { ResolveDns } from '../adapters/mail/reading-port.ts';
import { createSmtpMailer } from '../adapters/mail/smtp.ts';
import { createTokenClient } from '../adapters/mail/tokens.ts';
import { createPeers } from '../adapters/peers/peer-client.ts';
import { createIppPrinters } from '../adapters/printers/ipp.ts';
import type { DocumentBucket, Storage } from '../adapters/storage/port.ts';
import { startTerminalChild } from '../adapters/terminal/start-process.ts';
import { createWebhookSender } from '../adapters/webhooks/send-webhook.ts';
import { RELEASE } from '../config/release.ts';
import { DIRECT_KEY_FILE, installationKey } from '../config/secrets.ts';
import { createSharedTime } from '../db/shared-time.ts';
import type { Documents } from '../documents/documents.ts';
import { accessSettings, createAccess, hasSettledOwner } from '../features/access/room.ts';
import { createArchives } from '../features/archives/room.ts';
import { createAssistant } from '../features/assistant/room.ts';
import { createAudit, type OpenSinks } from '../features/audit/room.ts';
import { createBroadcasts } from '../features/broadcasts/room.ts';
import { createCases } from '../features/cases/room.ts';
import { createConsole, type PlannedBackup } from '../features/console/room.ts';
import { createContacts } from '../features/contacts/room.ts';
import { createCovers } from '../features/covers/room.ts';
import { createDesk } from '../features/desk/room.ts';
import { createDirect } from '../features/direct/room.ts';
import { createFolders } from '../features/folders/room.ts';
import { createHolds } from '../features/holds/room.ts';
import { createHttps } from '../features/https/room.ts';
import { createImports } from '../features/imports/room.ts';
import { createInbound } from '../features/inbound/room.ts';
import { createIntake } from '../features/intake/room.ts';
import { createMailToFax } from '../features/mail-to-fax/room.ts';
import { createNotices } from '../features/notices/room.ts';
import type { NoticesService } from '../features/notices/service.ts';
import { createOutbound } from '../features/outbound/room.ts';
import { createPairing } from '../features/pairing/room.ts';
import { createPresence } from '../features/presence/room.ts';
import { createPrintRules } from '../features/print-rules/room.ts';
import { createPrinting } from '../features/printing/room.ts';
import type { Room } from '../features/room.ts';
import { createRouting } from '../features/routing/room.ts';
import { createScanning } from '../features/scanning/room.ts';
import type { Settings } from '../features/settings/room.ts';
import { createSigning } from '../features/signing/room.ts';
import { createStorage } from '../features/storage/room.ts';
import { createSummary } from '../features/summary/room.ts';
import { createTelephony } from '../features/telephony/room.ts';
import { createTerminals } from '../features/terminal/room.ts';
import { createUpgrade } from '../features/upgrade/room.ts';
import { createWebhooks } from '../features/webhooks/room.ts';
import { createWork } from '../features/work/room.ts';
import type { AnsweredRequests } from '../http/answered-requests.ts';
import type { Authenticator } from '../http/caller.ts';
import type { Queue } from '../jobs/queue.ts';
import type { Logger } from '../platform/logger.ts';
import { BACKUP_READING, createBackupMaker } from './backups.ts';
import { createDependencies, type Dependencies, type Foundation } from './dependencies.ts';
import { countByKind, gatewayFacts, ownWarnings, type RecordCounts, warningsOf } from './health.ts';
import { httpsParts } from './https.ts';
import { createInstallationRooms } from './installation-rooms.ts';
import {
  connectRooms,
  createLate,
  createProviderTools,
  type HigherRooms,
  lateAnswering,
  lateMemories,
  listenersOf,
} from './late-bindings.ts';
import { printingParts, scanningParts } from './printing.ts';
import { callbackAddresses, notificationAddresses } from './providers.ts';
import { recordCounts } from './record-counts.ts';
import { createRequestOrigins, type RequestOrigins } from './request-origins.ts';
import { requestSettings } from './request-settings.ts';
import { servicesOf } from './services-of.ts';
import { createTransports } from './transports.ts';
import { upgradeParts } from './upgrade.ts';

export interface Rooms {
  /** Low to high: the order of the start, and backwards of the stop. */
  readonly list: readonly Room[];
  readonly settings: Settings;
  readonly authenticator: Authenticator;
  readonly answeredRequests: AnsweredRequests;
  readonly requestOrigins: RequestOrigins;
  readonly notices: NoticesService;
  /** Closes connections to providers, and the process of documents. */
  closeTools(): Promise<void>;
  readonly counts: RecordCounts;
  /** Counts the problems with the reports of providers, by kind. */
  countReportProblems(): Promise<Record<string, number>>;
  /** Returns the warnings of every room, which do not keep faxes from being taken; sentences. */
  warnings(): Promise<string[]>;
  /** Returns the installation key while the installation has no owner, else null. */
  firstOwnerKey(): Promise<string | null>;
  /** Plans a backup for after the stop. `problem` is why there can be none, as a sentence. */
  planBackup(): Promise<PlannedBackup | { problem: string }>;
  /** Has consoles notified of every later change of the problems. */
  checkProblems(): Promise<void>;
  readonly queue: Queue;
  readonly documents: Documents;
  readonly storage: Storage & { readonly bucket: DocumentBucket };
  /** Limits of what callers may hold. */
  readonly callerLimits: Dependencies['callerLimits'];
  readonly logger: Logger;
  /** Reason why the data key is not that of the store; null when it is. */
  readonly keyProblem: string | null;
}

/**
 * Creates every room by one call, low to high. A room gets the services of lower rooms as arguments; those of higher
 * rooms come through `higher`, which `connectRooms` fills at the end.
 */
export async function createRooms(foundation: Foundation): Promise<Rooms> {
  const { boot, clock, db, resolveDns = systemDns } = foundation;
  const higher = createLate<HigherRooms>();
  const tools = createProviderTools({ clock, dataFolder: boot.dataFolder }, higher);
  const shared = await createDependencies(foundation, tools);
  const { common, faxDependencies, callerLimits, counted, hashSecret, providers, settingsRoom } = shared;
  const { settings, logger, seal } = common;
  const base = { ...common, audit: shared.securityAudit };

  const audit = createAudit({
    ...common,
    counted,
    ...auditOutputs(shared, boot.dataFolder),
    findFaxes: (caller, targets) => higher.get().auditedFaxes(caller, targets),
  });
  const https = createHttps(httpsParts(shared));
  const signing = createSigning(common);
  const storage = createStorage({ ...base, ...shared.storageParts });
  const reached = {
    listening: () => ({ ...foundation.listening(), secureOrigins: https.service.origins() }),
    settings: accessSettings(settings),
  };
  const access = createAccess({
    ...base,
    ...reached,
    counted,
    sharedTime: createSharedTime(foundation),
    hashSecret,
    installationKey: await installationKey({
      ...boot,
      hasOwner: await hasSettledOwner(db.read),
      logger: logger.room('config'),
    }),
    documents: { find: (reading, ids) => higher.get().documentNames.find(reading, ids) },
  });
  const routing = createRouting(providers.routing, {
    ...base,
    planSteps: (fax) => higher.get().planSteps(fax),
    contactsOf: (caller, numbers) => higher.get().contactsOf(caller, numbers),
  });
  const contacts = createContacts({
    ...base,
    routes: routing.choice,
    directories: createDirectories(),
    ...lateMemories(() => higher.get()),
  });
  const holds = createHolds({ ...base, contacts: contacts.service, faxes: () => higher.get().heldFaxes });
  const desk = createDesk({ ...base, ...faxDependencies });
  const covers = createCovers({
    ...base,
    documents: faxDependencies.documents,
    contacts: contacts.service,
    desk: desk.service,
  });
  const transports = createTransports(
    { ...common, routing: routing.service, choice: routing.choice, transports: providers.transports },
    () => higher.get().internal,
    () => higher.get().direct,
  );
  const faxes = {
    ...common,
    ...faxDependencies,
    unverifiedBodies: callerLimits.unverifiedBodies,
    reportProblems: routing.reportProblems,
    noteDocumentRead: access.noteDocumentRead,
    contacts: contacts.service,
    covers: covers.service,
    desk: desk.service,
    holds: holds.service,
  };
  const outbound = createOutbound({
    ...faxes,
    ...routing.faxServices,
    audit: audit.trail,
    transports,
    signer: () => signing.service.signer(),
    callbacks: callbackAddresses(foundation.providers),
    calls: { ended: (tx, call) => higher.get().callLog.ended(tx, call) },
    ...lateAnswering(() => higher.get()),
    ...listenersOf(higher),
  });
  const inbound = createInbound({
    ...faxes,
    audit: base.audit,
    receivers: providers.receivers,
    notifications: notificationAddresses(foundation.providers),
  });
  const received = { ...faxes, audit: base.audit, sentFaxes: outbound, inbound: inbound.service };
  const intake = createIntake({
    ...received,
    mailer: createSmtpMailer(logger.room('intake')),
    renewToken: createTokenClient(foundation.tokenAddresses),
  });
  const printRules = createPrintRules({ ...received, printers: createIppPrinters() });
  const imports = createImports(received);
  const work = createWork({
    ...received,
    access: access.service,
    imports: imports.records,
    signing: signing.service,
    mail: intake.service,
    prints: printRules.service,
    overdue: { passed: (tx, item) => higher.get().recordedEvents.overdueItems.passed(tx, item) },
  });
  const presence = createPresence({ ...common, inbound: inbound.service });
  const telephony = createTelephony(received);
  const sending = { ...faxes, audit: base.audit, access: access.service, outbound: outbound.service };
  const broadcasts = createBroadcasts({
    ...sending,
    contacts: contacts.service,
    outcomesOf: outbound.outcomesOf,
  });
  const cases = createCases({ outbound: outbound.service });
  const folders = createFolders({ ...sending, maxFileBytes: requestSettings(settings).maxUploadBytes });
  const mailToFax = createMailToFax({
    ...sending,
    sentFaxes: outbound,
    mail: intake.service,
    folders: createImapFolders(logger.room('mail-to-fax')),
    reader: createMailReader(resolveDns, foundation.mailTimers),
  });
  const printing = createPrinting({ ...sending, ...printingParts(shared, foundation, https) });
  const scanning = createScanning({ ...scanningParts(shared), printing: printing.service });
  const summary = createSummary({
    ...received,
    mail: intake.service,
    printRules: printRules.service,
    work: work.service,
    costsOfDay: routing.costsOfDay,
  });
  const archives = createArchives({
    ...received,
    ...servicesOf({ outbound, intake, printRules, telephony, work, signing }),
  });
  const pairing = createPairing({ ...base, access: access.service, https: https.service, hashSecret });
  const assistant = createAssistant({
    ...common,
    release: RELEASE,
    maxFileBytes: requestSettings(settings).maxUploadBytes,
  });
  const terminals = createTerminals({
    ...base,
    access: access.service,
    authenticator: access.authenticator,
    start: foundation.startTerminalProcess ?? startTerminalChild,
  });
  const webhooks = createWebhooks({
    ...received,
    access: access.service,
    outbound: outbound.service,
    work: work.service,
    sender: createWebhookSender(),
  });
  const direct = createDirect({
    ...received,
    access: access.service,
    outbound: outbound.service,
    hashSecret,
    maxFileBytes: requestSettings(settings).maxUploadBytes,
    keyFile: boot.directKeyPath ?? join(boot.dataFolder, DIRECT_KEY_FILE),
    peers: createPeers(foundation.peerNetwork),
  });
  const notices = createNotices({ ...common, numberChecks: () => direct.service.partners.endingChecks() });
  const reportProblems = async () => [
    ...(await routing.reportProblems.list()),
    ...(await outbound.service.reportProblems()),
  ];
  const warnings = () => warningsOf(higher.get().rooms, ownWarnings(foundation, seal));
  const belowConsole: Room[] = [
    audit,
    settingsRoom,
    https,
    signing,
    storage,
    access,
    routing,
    contacts,
    holds,
    desk,
    covers,
  ];
  belowConsole.push(
    outbound,
    inbound,
    intake,
    printRules,
    work,
    presence,
    telephony,
    imports,
    summary,
    archives,
    cases,
    broadcasts,
    folders,
    mailToFax,
    printing,
    scanning,
    pairing,
    assistant,
    notices,
    terminals,
    webhooks,
    direct,
  );
  const console = createConsole({
    ...base,
    hashSecret,
    routes: routing,
    https: https.service,
    outbound: outbound.service,
    inbound: inbound.service,
    hasOwner: () => access.hasOwner(),
    authenticator: access.authenticator,
    events: belowConsole.flatMap(({ events }) => events),
    hasWorkQueue: true,
    gateway: {
      ...gatewayFacts({ ...foundation, ...faxDependencies, keyProblem: seal.problem }),
      warnings,
      reportProblems,
    },
    restore: foundation.restore ?? null,
    ...backupParts(foundation, shared),
  });
  const upgrade = createUpgrade({ ...base, ...upgradeParts(foundation) });
  const list = [...belowConsole, ...createInstallationRooms(foundation, shared), console, upgrade];
  connectRooms(higher, {
    documents: faxDependencies.documents,
    transports,
    logger,
    contacts,
    outbound,
    inbound,
    intake,
    printRules,
    work,
    telephony,
    webhooks,
    direct,
    broadcasts,
    printing,
    rooms: list,
  });
  return {
    list,
    settings,
    authenticator: access.authenticator,
    answeredRequests: access.answeredRequests,
    notices: notices.service,
    requestOrigins: createRequestOrigins({ ...reached, https: https.service }),
    closeTools: () => closeTools(providers, faxDependencies.documents),
    counts: recordCounts(clock, { outbound, inbound, work, intake, printRules, printing, webhooks }),
    countReportProblems: async () => countByKind(await reportProblems()),
    warnings,
    firstOwnerKey: () => access.firstOwnerKey(),
    ...consoleCalls(console),
    queue: faxDependencies.queue,
    documents: faxDependencies.documents,
    storage: faxDependencies.storage,
    callerLimits,
    logger,
    keyProblem: seal.problem,
  };
}

/** Returns the calls to the console from outside the rooms. */
function consoleCalls({ service }: Pick<ReturnType<typeof createConsole>, 'service'>) {
  return { planBackup: () => service.planBackup(), checkProblems: () => service.checkProblems() };
}

async function closeTools(providers: { close(): void }, documents: Pick<Documents, 'close'>): Promise<void> {
  providers.close();
  await documents.close();
}

/** Returns the making and reading of backups. */
function backupParts({ boot, clock, db }: Foundation, { common, dataKeys }: Dependencies) {
  const openable = common.seal.problem === null ? dataKeys : null;
  const makeBackup = createBackupMaker(boot, { clock, damage: db.damage, dataKeys: openable });
  return { makeBackup, ...BACKUP_READING };
}

const systemDns: ResolveDns = async (name, type) => (await dns.resolve(name, type)) as string[] | string[][];

/** Returns the chain of the audit trail, and its targets beside the store: the log, a file in an allowed folder, syslog. */
function auditOutputs({ common, folders }: Dependencies, dataFolder: string) {
  const logger = common.logger.room('audit');
  const openSinks: OpenSinks = (configuration) =>
    createAuditSinks(configuration, {
      log: (event) => logger.info(event, 'audit'),
      onError: (error) => logger.error({ error }, 'audit lines could not be written'),
      mayWrite: (file) => 'path' in folders.check('AUDIT_LOG_FILE', file, { kind: 'file', own: 'audit' }),
    });
  return { openSinks, chain: createAuditChain(join(dataFolder, 'audit-log.end'), common.seal) };
}
