import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import type { TokenAddresses } from '../adapters/mail/port.ts';
import type { ResolveDns } from '../adapters/mail/reading-port.ts';
import type { PeerNetwork } from '../adapters/peers/port.ts';
import type { Provider } from '../adapters/providers/provider-port.ts';
import { closeWayBack } from '../backup/way-back.ts';
import type { BootOptions } from '../config/boot.ts';
import type { Environment } from '../config/env.ts';
import { RELEASE } from '../config/release.ts';
import { announceRunning, withdrawRunning } from '../config/running-file.ts';
import type { Database } from '../db/database.ts';
import type { StoreCheck } from '../db/store-check.ts';
import type { StartDocumentProcess } from '../documents/documents.ts';
import type { PlannedBackup } from '../features/console/room.ts';
import type { Room } from '../features/room.ts';
import type { StartTerminalProcess } from '../features/terminal/terminal-process-port.ts';
import { listen, portOf, SERVER_OPTIONS, stopListening } from '../http/listening.ts';
import type { JobDefinition } from '../jobs/define-job.ts';
import { OPEN_PERMIT } from '../jobs/work-permit.ts';
import { createWorker, type Worker } from '../jobs/worker.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import { type Closing, createClosing } from '../platform/closing.ts';
import { openLogFile } from '../platform/log-file.ts';
import { createLogger, type Logger, type LogLevel } from '../platform/logger.ts';
import { NO_PROXIES, setProxies } from '../platform/outgoing-proxy.ts';
import { createPendingWork } from '../platform/pending-work.ts';
import type { Timers } from '../platform/timers.ts';
import { urlHost } from '../platform/url-host.ts';
import type { RestoreFile } from './backups.ts';
import { logTakenFolder, type TakenFolder, takeDataFolder } from './data-folder.ts';
import { announceToOthers, takePart } from './gateways.ts';
import { PROVIDERS } from './providers.ts';
import { createRequests } from './requests.ts';
import { createRooms, type Rooms } from './rooms.ts';
import { type Accepted, type OpenedStore, openStore, watchStore } from './store.ts';
import { openTelemetry } from './telemetry.ts';
import type { ConsoleUpgrade } from './upgrade.ts';

export interface GatewayOptions {
  readonly boot: BootOptions;
  readonly environment: Environment;
  readonly clock?: Clock;
  /** Clock in place of that of a PostgreSQL database, which is used when left out. */
  readonly databaseClock?: Clock;
  /** The cloud providers; those of this release when left out. */
  readonly providers?: readonly Provider[];
  readonly logger?: Logger;
  /** True to write the log to files alone, for a service manager that keeps standard error without a limit. */
  readonly logsOnlyToFiles?: boolean;
  /** False: background work runs only when `processAll` is called. */
  readonly automatic?: boolean;
  /** False: the database is not read through at the start and every week. */
  readonly checkStore?: boolean;
  /** Secret shared with the starter of this gateway, which proves that no other program uses its port. */
  readonly proofSecret?: string;
  /** Stops this gateway, restores a backup and starts another one; without it consoles report that they cannot. */
  readonly restore?: RestoreFile;
  /** Stops this gateway, upgrades from an earlier release and starts another one; without it consoles report that they cannot. */
  readonly upgrade?: ConsoleUpgrade;
  /** Notes about this start for an administrator, as sentences. */
  readonly notes?: readonly string[];
  /** DNS resolver, and the timers of the e-mail reader; those of the system when left out. */
  readonly resolveDns?: ResolveDns;
  readonly mailTimers?: Timers;
  /**
   * Starter of the process of documents (a child by default), and the token endpoints of mail providers (their own by
   * default).
   */
  readonly startDocumentProcess?: StartDocumentProcess;
  /** Starter of the process of a console terminal; a child by default. */
  readonly startTerminalProcess?: StartTerminalProcess;
  readonly tokenAddresses?: TokenAddresses;
  /** Milliseconds after which a bucket without any progress is given up; 20 s when left out. */
  readonly bucketPatienceMs?: number;
  /** Name look-ups, trusted roots and times of requests to partners; those of the system when left out. */
  readonly peerNetwork?: PeerNetwork;
}

export interface Gateway {
  /** `http://host:port` */
  readonly url: string;
  readonly consoleUrl: string;
  /** Result of the start for a store that was accepted. */
  readonly accepted: Accepted;
  /** Takes no new work, finishes a running submission (10 s at most), closes everything. */
  stop(): Promise<void>;
  /** Runs all background work that is due by the clock; none on a damaged database. */
  processAll(): Promise<void>;
  /** Before the computer sleeps: takes no new background work, finishes a running submission (10 s at most). */
  pause(): Promise<void>;
  resume(): void;
  /** Called with whether a fax is being handed to its provider, whenever that changes. */
  onSubmitting(listener: (submitting: boolean) => void): void;
  /** The installation key while nobody owns the installation, else null. For the program that started the gateway. */
  firstOwnerKey(): Promise<string | null>;
  /**
   * Plans the backup that is made once this gateway has stopped, before another version is installed. `problem` is why there can
   * be none, as a sentence. For the program that started the gateway.
   */
  planBackup(): Promise<PlannedBackup | { problem: string }>;
}

/** A submission that is under way may end in that time; after it, it is a question. */
const SUBMISSION_MS = 5_000;
/** Answers that are under way. */
const ANSWERS_MS = 3_000;
const CHECK_INTERVAL_MS = 1_000;
/** In the desktop application it ends after the table at hand. */
const CHECK_MS = 4_000;

/**
 * Starts the gateway on a data folder: lock, database, rooms, requests, workers. Throws GatewayRunningError, BootError,
 * SettingsStartError, NewerStoreError, OtherGatewaysError, StoreMismatchError, StoreMovedError or UnfinishedRestoreError, each with a sentence for
 * a person; then nothing is left open.
 */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { boot } = options;
  const opened: { logger: Logger | null } = { logger: null };
  setProxies(boot.proxies ?? NO_PROXIES);
  const closing = createClosing(() => opened.logger);
  try {
    const folder = await takeDataFolder(boot, closing);
    const store = await openStore(boot, options.clock ?? systemClock);
    closing.add('database', () => store.db.close());
    return await open(options, { store, folder }, closing, opened);
  } catch (error) {
    await closing.run();
    throw error;
  }
}

async function open(
  options: GatewayOptions,
  { store, folder }: { store: OpenedStore; folder: TakenFolder },
  closing: Closing,
  opened: { logger: Logger | null },
): Promise<Gateway> {
  const { boot, clock = systemClock, providers = PROVIDERS } = options;
  const { db, own, accepted } = store;
  const server = createServer(SERVER_OPTIONS);
  const listening = () => ({ host: boot.host, port: portOf(server) ?? boot.port });
  const loggerAt = loggerOf(options, closing);
  const membership = takePart(store, { clock: systemClock, logger: loggerAt('info'), closing });
  const permit = membership ?? OPEN_PERMIT;
  const startWarnings = logFound({ folder, store, notes: options.notes ?? [] }, loggerAt('info'));
  const check = watchStore(options, { db, clock, logger: loggerAt('info') });
  closing.add('check of the database', () => check?.stop(), CHECK_MS);
  const rooms = await createRooms({
    ...options,
    db,
    own,
    membership,
    announcements: announceToOthers(boot, { own, logger: loggerAt('info'), closing }),
    permit,
    clock,
    providers,
    logger: loggerAt('info'),
    loggerAt,
    listening,
    startWarnings,
  });
  const { list, logger, queue } = rooms;
  opened.logger = logger;
  const definitions = list.flatMap(({ jobs }) => jobs);
  const worker = createWorker({ db, queue, clock, logger: logger.room('jobs'), definitions, permit });
  const proofSecret = options.proofSecret ?? null;
  const telemetry = await openTelemetry({ settings: rooms.settings, clock, logger: logger.room('gateway') });
  const served = { boot, db, clock, providers, listening, proofSecret, telemetry };
  const { app: requests, readMetrics } = createRequests(rooms, served);
  server.on('request', requests);
  await startInOrder(closing, [
    { name: 'documents and providers', stop: () => rooms.closeTools() },
    sealStoredDocuments(rooms),
    ...list.map((room) => ({
      name: `room ${room.name}`,
      start: () => room.start(),
      stop: () => room.stop(),
    })),
    followSettings(rooms),
    { name: 'check of the database, begun', start: () => check?.begin(folder) },
    checkEverySecond(rooms, check),
    { name: 'way back', start: () => closeWayBack(boot.dataFolder) },
    {
      name: 'listening',
      start: () => listen(server, { ...boot, connections: rooms.callerLimits.connections }),
    },
    { name: 'running file', stop: () => withdrawRunning(boot.dataFolder) },
    // The first step of a stop: from that moment on no job begins.
    {
      name: 'requests and work',
      stop: () => endRequestsAndWork(rooms, { server, worker }),
      mostMs: SUBMISSION_MS + 500,
    },
    ...list.map((room) => ({ name: `room ${room.name}, open`, start: () => room.open(requests) })),
    // Only now: a start that fails on a taken port must not have sent anything.
    { name: 'worker', start: () => worker.start({ automatic: options.automatic ?? true }) },
    {
      name: 'telemetry',
      start: () => telemetry?.start(list, readMetrics),
      stop: () => telemetry?.stop(),
      mostMs: 3_000,
    },
  ]);
  const url = `http://${urlHost(boot.host)}:${listening().port}`;
  await announceRunning(boot.dataFolder, url);
  logger
    .room('gateway')
    .info({ url, release: RELEASE, database: db.capabilities.name }, 'the gateway is ready');
  const close = () => closing.run();
  return gatewayAt(url, { rooms, worker, definitions, check, db, accepted, close });
}

/** One step of the start, undone by `stop` in the opposite order. `mostMs` is the time limit of the stop. */
interface StartStep {
  readonly name: string;
  start?(): unknown;
  stop?(): unknown;
  readonly mostMs?: number;
}

/** Runs the steps one after the other. A step that fails is stopped as well, with those before it, by whoever runs `closing`. */
async function startInOrder(closing: Closing, steps: readonly StartStep[]): Promise<void> {
  for (const step of steps) {
    if (step.stop) closing.add(step.name, () => step.stop?.(), step.mostMs);
    await step.start?.();
  }
}

/** Together: what asks and what works may wait for each other. No job begins from now on. */
async function endRequestsAndWork(
  { list }: Rooms,
  { server, worker }: { server: Server; worker: Worker },
): Promise<void> {
  await Promise.all([
    worker.stop(SUBMISSION_MS),
    ...list.map((room) => room.close(ANSWERS_MS)),
    stopListening(server, ANSWERS_MS),
  ]);
}

/** The log goes to files and, unless they are enough, to standard error; one that was given goes where it likes. */
function loggerOf(
  { boot, logger, logsOnlyToFiles }: GatewayOptions,
  closing: Closing,
): (level: LogLevel) => Logger {
  if (logger) return () => logger;
  const file = openLogFile(join(boot.dataFolder, 'logs'));
  closing.add('log', () => file.close());
  const write = (line: string) => file.write(line);
  return (level) => createLogger({ level, ...(logsOnlyToFiles ? { write } : { copy: write }) });
}

/**
 * Logs the traces of an earlier gateway that the start found; returns what an administrator should know about them, as
 * sentences.
 */
function logFound(
  { folder, store, notes }: { folder: TakenFolder; store: OpenedStore; notes: readonly string[] },
  logger: Logger,
): readonly string[] {
  const warnings = [...folder.warnings, ...notes];
  logTakenFolder({ ...folder, warnings }, logger);
  const { documentsAside, held } = store.accepted;
  if (documentsAside !== null)
    logger
      .room('gateway')
      .warn({ folder: documentsAside }, 'documents that the store does not name were moved aside');
  if (held > 0)
    logger
      .room('gateway')
      .warn({ held }, 'faxes were held: they may have been sent since the store was copied');
  return warnings;
}

function gatewayAt(
  url: string,
  parts: {
    rooms: Rooms;
    worker: Worker;
    definitions: readonly JobDefinition<never>[];
    check: StoreCheck | null;
    db: Database;
    accepted: Accepted;
    close: () => Promise<void>;
  },
): Gateway {
  const { rooms, worker, definitions, check, db, accepted, close } = parts;
  return {
    url,
    accepted,
    consoleUrl: `${url}/admin/ui/`,
    stop: close,
    processAll: async () => {
      check?.startIfDue();
      await check?.settled();
      if (db.damage.isFound) return;
      for (const room of rooms.list) await room.catchUp();
      checkCallers(rooms);
      await worker.processAll();
    },
    pause: () => worker.pause(SUBMISSION_MS),
    resume: () => worker.resume(),
    onSubmitting: (listener) => watchSubmissions(worker, definitions, listener),
    firstOwnerKey: () => rooms.firstOwnerKey(),
    planBackup: () => rooms.planBackup(),
  };
}

/** Seals stored documents from the start on, and whenever encryption is switched on. */
function sealStoredDocuments({ storage, settings, logger }: Rooms): StartStep {
  const seal = () =>
    storage
      .sealStored()
      .catch((error: unknown) =>
        logger.room('gateway').error({ error }, 'stored documents could not be sealed'),
      );
  let unsubscribe: (() => void) | undefined;
  return {
    name: 'stored documents',
    start() {
      void seal();
      unsubscribe = settings.onChange(({ names }) => {
        if (names.has('ENCRYPT_DOCUMENTS')) void seal();
      });
    },
    async stop() {
      unsubscribe?.();
      await storage.close();
    },
  };
}

/** Ends callers that wait too long, and continues the check of the database, once a second. */
function checkEverySecond(rooms: Rooms, check: StoreCheck | null): StartStep {
  let timer: NodeJS.Timeout | undefined;
  return {
    name: 'connections',
    start() {
      timer = setInterval(() => {
        checkCallers(rooms);
        check?.startIfDue();
      }, CHECK_INTERVAL_MS);
    },
    stop: () => clearInterval(timer),
  };
}

/** Ends what waits too long for its caller. */
function checkCallers({ callerLimits: { connections, unverifiedBodies } }: Rooms): void {
  connections.check();
  unverifiedBodies.check();
}

/** A job that is never run twice hands something over; it must not be broken off. */
function watchSubmissions(
  worker: Worker,
  definitions: readonly JobDefinition<never>[],
  listener: (submitting: boolean) => void,
): void {
  const handsOver = new Set<string>(
    definitions.filter(({ lost }) => lost === 'hold').map(({ kind }) => kind),
  );
  let known = false;
  worker.onRunning((kinds) => {
    const submitting = kinds.some((kind) => handsOver.has(kind));
    if (submitting === known) return;
    known = submitting;
    listener(submitting);
  });
}

/** Notifies each room of changes of the settings that it reads. Its stop waits for the last one. */
function followSettings({ list, settings, logger }: Rooms): StartStep {
  const pending = createPendingWork();
  const follow = async (room: Room, changed: ReadonlySet<string>) => {
    const names = new Set(room.settings.names.filter((name) => changed.has(name)));
    try {
      if (names.size > 0) await room.settings.changed(names);
    } catch (error) {
      logger
        .room('gateway')
        .error({ error, room: room.name }, 'a change of the settings could not be followed');
    }
  };
  let unsubscribe: (() => void) | undefined;
  return {
    name: 'settings',
    start() {
      unsubscribe = settings.onChange(({ names }) => {
        for (const room of list) pending.add(follow(room, names));
      });
    },
    async stop() {
      unsubscribe?.();
      await pending.settled();
    },
  };
}
