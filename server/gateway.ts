import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { Provider } from './adapters/providers/provider-port.ts';
import type { BootOptions } from './config/boot.ts';
import type { Environment } from './config/env.ts';
import { type Database, openDatabase } from './db/database.ts';
import { migrate } from './db/migrator.ts';
import { lockFile } from './db/sqlite.ts';
import { dispatchJob } from './features/outbound/dispatch/queued.ts';
import { listen, portOf, stopListening, urlHost } from './http/listening.ts';
import { Worker } from './jobs/worker.ts';
import { type Clock, systemClock } from './platform/clock.ts';
import { openLogFile } from './platform/log-file.ts';
import { createLogger, type Logger, type LogLevel } from './platform/logger.ts';
import { PROVIDERS } from './providers.ts';
import { RELEASE } from './release.ts';
import { requestsOf } from './requests.ts';
import { openRooms, type Rooms } from './rooms.ts';
import { announceRunning, withdrawRunning } from './running-file.ts';

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

const STOP_GRACE_MS = 10_000;
const REFRESH_MS = 1_000;

/**
 * Starts the gateway on a data folder: lock, database, rooms, requests, workers. Throws GatewayRunningError, BootError,
 * SettingsStartError or NewerStoreError, each with a sentence for a person; then nothing is left open.
 */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { boot } = options;
  const closing: (() => unknown)[] = [];
  const close = async () => {
    for (let step = closing.pop(); step; step = closing.pop()) await step();
  };
  try {
    await mkdir(boot.dataFolder, { recursive: true, mode: 0o700 });
    const lock = lockFile(join(boot.dataFolder, 'gateway.lock'));
    if (!lock) throw new GatewayRunningError(`Faxdesk runs already on ${boot.dataFolder}.`);
    closing.push(() => lock.release());
    const sqliteFile = join(boot.dataFolder, 'faxdesk.sqlite');
    const db = openDatabase({ postgresUrl: boot.databaseUrl, sqliteFile });
    closing.push(() => db.close());
    await migrate(db.whole as never);
    return await open(options, db, closing, close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function open(
  options: GatewayOptions,
  db: Database,
  closing: (() => unknown)[],
  close: () => Promise<void>,
): Promise<Gateway> {
  const { boot, environment, clock = systemClock, providers = PROVIDERS } = options;
  const server = createServer();
  const listening = () => ({ host: boot.host, port: portOf(server) ?? boot.port });
  const loggerAt = loggerOf(options, closing);
  const rooms = await openRooms({
    boot,
    environment,
    db,
    clock,
    providers,
    logger: loggerAt('info'),
    loggerAt,
    listening,
  });
  closing.push(() => rooms.documents.close());
  closing.push(() => rooms.auditTrail.close());
  closing.push(() => rooms.access.stop());
  closing.push(() => rooms.console.stop());
  const { logger, queue, outbound, inbound } = rooms;
  const definitions = [...outbound.jobs, ...inbound.jobs];
  const worker = new Worker({ db, queue, clock, logger: logger.room('jobs'), definitions });
  const proofSecret = options.proofSecret ?? null;
  const requests = requestsOf(rooms, { boot, db, clock, providers, logger, proofSecret });
  server.on('request', requests);
  await rooms.access.start();
  await rooms.pairing.start();
  closing.push(() => outbound.stop());
  await outbound.start();
  closing.push(() => inbound.stop());
  await inbound.start();
  await rooms.console.start();
  closing.push(rooms.settings.onChange(() => void replan(rooms)));
  const refresh = setInterval(() => void refreshSettings(rooms, logger), REFRESH_MS);
  closing.push(() => clearInterval(refresh));
  closing.push(() => worker.stop(STOP_GRACE_MS));
  await listen(server, boot);
  closing.push(() => Promise.all([stopListening(server, STOP_GRACE_MS), rooms.https.stop(STOP_GRACE_MS)]));
  await rooms.https.start(requests);
  closing.push(() => rooms.console.endStreams());
  // Only now: a start that fails on a taken port must not have sent anything.
  await worker.start({ automatic: options.automatic ?? true });
  const url = `http://${urlHost(boot.host)}:${listening().port}`;
  await announceRunning(boot.dataFolder, url);
  closing.push(() => withdrawRunning(boot.dataFolder));
  logger
    .room('gateway')
    .info({ url, release: RELEASE, database: db.capabilities.name }, 'the gateway is ready');
  return gatewayAt(url, { rooms, worker, close });
}

/** The log goes to standard error and to files; one that was given goes where it likes. */
function loggerOf({ boot, logger }: GatewayOptions, closing: (() => unknown)[]): (level: LogLevel) => Logger {
  if (logger) return () => logger;
  const file = openLogFile(join(boot.dataFolder, 'logs'));
  closing.push(() => file.close());
  return (level) => createLogger({ level, copy: (line) => file.write(line) });
}

function gatewayAt(
  url: string,
  { rooms, worker, close }: { rooms: Rooms; worker: Worker; close: () => Promise<void> },
): Gateway {
  return {
    url,
    consoleUrl: `${url}/admin/ui/`,
    stop: close,
    processAll: async () => {
      await rooms.https.look();
      await rooms.outbound.cleared();
      await rooms.inbound.cleared();
      await worker.processAll();
    },
    pause: () => worker.pause(STOP_GRACE_MS),
    resume: () => worker.resume(),
    onSubmitting: (listener) => watchSubmissions(worker, listener),
    firstOwnerKey: () => rooms.access.firstOwnerKey(),
  };
}

function watchSubmissions(worker: Worker, listener: (submitting: boolean) => void): void {
  let known = false;
  worker.onRunning((kinds) => {
    const submitting = kinds.includes(dispatchJob.kind);
    if (submitting === known) return;
    known = submitting;
    listener(submitting);
  });
}

/** An interval may have been changed. */
async function replan({ outbound, inbound, logger }: Rooms): Promise<void> {
  try {
    await outbound.planCleanup();
    await inbound.plan();
  } catch (error) {
    logger.room('gateway').error({ error }, 'what repeats could not be planned');
  }
}

/** Another process on the same database may have changed a setting. */
async function refreshSettings(rooms: Rooms, logger: Logger): Promise<void> {
  try {
    await rooms.settings.refresh();
  } catch (error) {
    logger.room('gateway').error({ error }, 'the settings could not be read again');
  }
}
