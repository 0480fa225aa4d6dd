import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import type { Provider } from './adapters/providers/provider-port.ts';
import { type Closing, createClosing } from './closing.ts';
import type { BootOptions } from './config/boot.ts';
import type { Environment } from './config/env.ts';
import { type ClosedFolder, closeDataFolder } from './config/owner-only.ts';
import { RELEASE } from './config/release.ts';
import { announceRunning, withdrawRunning } from './config/running-file.ts';
import { type Database, openDatabase } from './db/database.ts';
import { migrate } from './db/migrator.ts';
import { lockFile } from './db/sqlite.ts';
import type { StartDocumentProcess } from './documents/documents.ts';
import type { Room } from './features/room.ts';
import { listen, portOf, SERVER_OPTIONS, stopListening } from './http/listening.ts';
import type { JobDefinition } from './jobs/define-job.ts';
import { createWorker, type Worker } from './jobs/worker.ts';
import { type Clock, systemClock } from './platform/clock.ts';
import { openLogFile } from './platform/log-file.ts';
import { createLogger, type Logger, type LogLevel } from './platform/logger.ts';
import { makeFolder } from './platform/make-folder.ts';
import { urlHost } from './platform/url-host.ts';
import { PROVIDERS } from './providers.ts';
import { createRequests } from './requests.ts';
import { createRooms, type Rooms } from './rooms.ts';

export interface GatewayOptions {
  readonly boot: BootOptions;
  readonly environment: Environment;
  readonly clock?: Clock;
  /** The cloud providers; those of this release when left out. */
  readonly providers?: readonly Provider[];
  readonly logger?: Logger;
  /** False: background work runs only when `processAll` is called. */
  readonly automatic?: boolean;
  /** Shared with whoever started this gateway, so that it can be told from another program on its port. */
  readonly proofSecret?: string;
  /** How the process of documents is started; as a child of this one when left out. */
  readonly startDocumentProcess?: StartDocumentProcess;
}

export interface Gateway {
  /** `http://host:port` */
  readonly url: string;
  readonly consoleUrl: string;
  /** Takes no new work, finishes a running submission (10 s at most), closes everything. */
  stop(): Promise<void>;
  /** Runs all background work that is due by the clock. */
  processAll(): Promise<void>;
  /** Before the computer sleeps: takes no new background work, finishes a running submission (10 s at most). */
  pause(): Promise<void>;
  resume(): void;
  /** Called with whether a fax is being handed to its provider, whenever that changes. */
  onSubmitting(listener: (submitting: boolean) => void): void;
  /** The installation key while nobody owns the installation, else null. For the program that started the gateway. */
  firstOwnerKey(): Promise<string | null>;
}

/** Another gateway works on the data folder. */
export class GatewayRunningError extends Error {
  override name = 'GatewayRunningError';
}

/** A submission that is under way may end in that time; after it, it is a question. */
const SUBMISSION_MS = 5_000;
/** Answers that are under way. */
const ANSWERS_MS = 3_000;
const TEND_MS = 1_000;

/**
 * Starts the gateway on a data folder: lock, database, rooms, requests, workers. Throws GatewayRunningError, BootError,
 * SettingsStartError or NewerStoreError, each with a sentence for a person; then nothing is left open.
 */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { boot } = options;
  const opened: { logger: Logger | null } = { logger: null };
  const closing = createClosing(() => opened.logger);
  try {
    await makeFolder(boot.dataFolder);
    const folder = await closeDataFolder(boot.dataFolder);
    const lock = lockFile(join(boot.dataFolder, 'gateway.lock'));
    if (!lock) throw new GatewayRunningError(`Faxdesk runs already on ${boot.dataFolder}.`);
    closing.add('lock', () => lock.release());
    const sqliteFile = join(boot.dataFolder, 'faxdesk.sqlite');
    const where = { postgresUrl: boot.databaseUrl, sqliteFile };
    const db = openDatabase(where);
    closing.add('database', () => db.close());
    await migrateStore(db, where);
    return await open(options, { db, folder }, closing, opened);
  } catch (error) {
    await closing.run();
    throw error;
  }
}

/** Brings the store to this release's shape, however long that takes. */
async function migrateStore(db: Database, where: Parameters<typeof openDatabase>[0]): Promise<void> {
  if (where.postgresUrl === null) return void (await migrate(db.whole as never));
  const patient = openDatabase(where, { isPatient: true, poolSize: 1 });
  try {
    await migrate(patient.whole as never);
  } finally {
    await patient.close();
  }
}

async function open(
  options: GatewayOptions,
  { db, folder }: { db: Database; folder: ClosedFolder },
  closing: Closing,
  opened: { logger: Logger | null },
): Promise<Gateway> {
  const { boot, environment, clock = systemClock, providers = PROVIDERS } = options;
  const server = createServer(SERVER_OPTIONS);
  const listening = () => ({ host: boot.host, port: portOf(server) ?? boot.port });
  const loggerAt = loggerOf(options, closing);
  logFolder(folder, loggerAt('info'));
  const rooms = await createRooms({
    boot,
    environment,
    db,
    clock,
    providers,
    logger: loggerAt('info'),
    loggerAt,
    listening,
    folderWarnings: folder.warnings,
    startDocumentProcess: options.startDocumentProcess,
  });
  const { list, logger, queue } = rooms;
  opened.logger = logger;
  closing.add('documents', () => rooms.documents.close());
  closing.add('stored documents', sealingStored(rooms));
  const definitions = list.flatMap(({ jobs }) => jobs);
  const worker = createWorker({ db, queue, clock, logger: logger.room('jobs'), definitions });
  const proofSecret = options.proofSecret ?? null;
  const requests = createRequests(rooms, { boot, db, clock, providers, listening, proofSecret });
  server.on('request', requests);
  for (const room of list) {
    closing.add(`room ${room.name}`, () => room.stop());
    await room.start();
  }
  closing.add('settings', followSettings(rooms));
  const tending = setInterval(() => checkCallers(rooms), TEND_MS);
  closing.add('connections', () => clearInterval(tending));
  await listen(server, { ...boot, connections: rooms.callerLimits.connections });
  closing.add('running file', () => withdrawRunning(boot.dataFolder));
  // The first step of a stop: from that moment on no job begins.
  closing.add('requests and work', () => endRequestsAndWork(rooms, { server, worker }), SUBMISSION_MS + 500);
  for (const room of list) await room.open(requests);
  // Only now: a start that fails on a taken port must not have sent anything.
  const automatic = options.automatic ?? true;
  await worker.start({ automatic });
  if (automatic) rooms.documents.warmUp();
  const url = `http://${urlHost(boot.host)}:${listening().port}`;
  await announceRunning(boot.dataFolder, url);
  logger
    .room('gateway')
    .info({ url, release: RELEASE, database: db.capabilities.name }, 'the gateway is ready');
  return gatewayAt(url, { rooms, worker, definitions, close: () => closing.run() });
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

/** The log goes to standard error and to files; one that was given goes where it likes. */
function loggerOf({ boot, logger }: GatewayOptions, closing: Closing): (level: LogLevel) => Logger {
  if (logger) return () => logger;
  const file = openLogFile(join(boot.dataFolder, 'logs'));
  closing.add('log', () => file.close());
  return (level) => createLogger({ level, copy: (line) => file.write(line) });
}

function logFolder({ closed, warnings }: ClosedFolder, logger: Logger): void {
  const [first, ...more] = closed;
  if (first !== undefined)
    logger
      .room('config')
      .warn(
        { first, more: more.length },
        'other accounts of this computer could open the data folder or something in it; it was closed to them',
      );
  for (const warning of warnings) logger.room('config').warn({}, warning);
}

function gatewayAt(
  url: string,
  parts: {
    rooms: Rooms;
    worker: Worker;
    definitions: readonly JobDefinition<never>[];
    close: () => Promise<void>;
  },
): Gateway {
  const { rooms, worker, definitions, close } = parts;
  return {
    url,
    consoleUrl: `${url}/admin/ui/`,
    stop: close,
    processAll: async () => {
      for (const room of rooms.list) await room.catchUp();
      checkCallers(rooms);
      await worker.processAll();
    },
    pause: () => worker.pause(SUBMISSION_MS),
    resume: () => worker.resume(),
    onSubmitting: (listener) => watchSubmissions(worker, definitions, listener),
    firstOwnerKey: () => rooms.firstOwnerKey(),
  };
}

/** Seals what is stored as it is, from now on and whenever sealing is switched on. What is returned ends that. */
function sealingStored({ storage, settings, logger }: Rooms): () => Promise<void> {
  const seal = () =>
    storage
      .sealStored()
      .catch((error: unknown) =>
        logger.room('gateway').error({ error }, 'stored documents could not be sealed'),
      );
  void seal();
  const end = settings.onChange(({ names }) => {
    if (names.has('ENCRYPT_DOCUMENTS')) void seal();
  });
  return async () => {
    end();
    await storage.close();
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

/** Each room is told when a setting that it reads has changed. What is returned ends that and waits for the last. */
function followSettings({ list, settings, logger }: Rooms): () => Promise<void> {
  let following: Promise<unknown> = Promise.resolve();
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
  const end = settings.onChange(({ names }) => {
    following = Promise.all([following, ...list.map((room) => follow(room, names))]);
  });
  return async () => {
    end();
    await following;
  };
}
