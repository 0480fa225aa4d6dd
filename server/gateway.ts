import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { allRoutes } from '../shared/api/all.ts';
import { createApp } from './app.ts';
import type { BootOptions } from './config/boot.ts';
import type { Environment } from './config/env.ts';
import { type Database, openDatabase } from './db/database.ts';
import { migrate, ping } from './db/migrator.ts';
import { lockFile } from './db/sqlite.ts';
import { openApiRoutes } from './http/docs.ts';
import { createDoor } from './http/door.ts';
import { diskCheck, healthRoutes } from './http/health.ts';
import { listen, portOf, stopListening, urlHost } from './http/listening.ts';
import { createMetrics } from './http/metrics.ts';
import { MinuteLimit } from './http/rate-limit.ts';
import { countWaiting } from './jobs/job-store.ts';
import { Worker } from './jobs/worker.ts';
import { type Clock, systemClock } from './platform/clock.ts';
import { createLogger, type Logger, type LogLevel } from './platform/logger.ts';
import { RELEASE } from './release.ts';
import { openRooms, type Rooms } from './rooms.ts';
import { announceRunning, withdrawRunning } from './running-file.ts';

export interface GatewayOptions {
  readonly boot: BootOptions;
  readonly environment: Environment;
  readonly clock?: Clock;
  readonly logger?: Logger;
  /** False: background work runs only when `processAll` is called. */
  readonly automatic?: boolean;
}

export interface Gateway {
  /** `http://host:port` */
  readonly url: string;
  readonly consoleUrl: string;
  /** Takes no new work, finishes a running submission (10 s at most), closes everything. */
  stop(): Promise<void>;
  /** Runs all background work that is due by the clock. */
  processAll(): Promise<void>;
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
  const { boot, environment, clock = systemClock } = options;
  const server = createServer();
  const listening = () => ({ host: boot.host, port: portOf(server) ?? boot.port });
  const loggerAt = (level: LogLevel) => options.logger ?? createLogger({ level });
  const rooms = await openRooms({
    boot,
    environment,
    db,
    clock,
    logger: loggerAt('info'),
    loggerAt,
    listening,
  });
  closing.push(() => rooms.documents.close());
  closing.push(() => rooms.auditTrail.close());
  closing.push(() => rooms.access.stop());
  const { logger, queue, outbound } = rooms;
  const worker = new Worker({ db, queue, clock, logger: logger.room('jobs'), definitions: outbound.jobs });
  server.on('request', appOf(rooms, { boot, db, clock, logger }));
  await rooms.access.start();
  closing.push(() => outbound.stop());
  await outbound.start();
  closing.push(rooms.settings.onChange(() => void replan(rooms)));
  const refresh = setInterval(() => void refreshSettings(rooms, logger), REFRESH_MS);
  closing.push(() => clearInterval(refresh));
  closing.push(() => worker.stop(STOP_GRACE_MS));
  await listen(server, boot);
  closing.push(() => stopListening(server, STOP_GRACE_MS));
  // Only now: a start that fails on a taken port must not have sent anything.
  await worker.start({ automatic: options.automatic ?? true });
  const url = `http://${urlHost(boot.host)}:${listening().port}`;
  await announceRunning(boot.dataFolder, url);
  closing.push(() => withdrawRunning(boot.dataFolder));
  logger
    .room('gateway')
    .info({ url, release: RELEASE, database: db.capabilities.name }, 'the gateway is ready');
  const processAll = async () => {
    await outbound.cleared();
    await worker.processAll();
  };
  return { url, consoleUrl: `${url}/admin/ui/`, stop: close, processAll };
}

function appOf(rooms: Rooms, parts: { boot: BootOptions; db: Database; clock: Clock; logger: Logger }) {
  const { settings, outbound, access } = rooms;
  const { boot, db, clock, logger } = parts;
  const metrics = createMetrics([
    { name: 'faxdesk_faxes', help: 'Faxes by state', label: 'state', values: () => outbound.counts() },
    {
      name: 'faxdesk_jobs_waiting',
      help: 'Background work by kind',
      label: 'kind',
      values: () => waitingJobs(db),
    },
  ]);
  const checks = [
    async () => {
      await ping(db.whole as never);
      return null;
    },
    diskCheck(boot.dataFolder),
  ];
  return createApp({
    served: [
      ...healthRoutes(checks),
      ...metrics.routes,
      ...openApiRoutes(allRoutes, RELEASE),
      ...rooms.served,
    ],
    door: createDoor({
      authenticator: access.authenticator,
      limit: new MinuteLimit(clock),
      perMinute: () => settings.get('MAX_REQUESTS_PER_MINUTE'),
    }),
    uploads: {
      directory: join(boot.dataFolder, 'work'),
      mostBytes: () => settings.get('MAX_FILE_SIZE_MB') * 1024 * 1024,
    },
    metrics,
    logger: logger.room('http'),
  });
}

async function waitingJobs(db: Database): Promise<Record<string, number>> {
  return Object.fromEntries((await countWaiting(db.read)).map(({ kind, waiting }) => [kind, waiting]));
}

/** An interval may have been changed. */
async function replan({ outbound, logger }: Rooms): Promise<void> {
  try {
    await outbound.planCleanup();
  } catch (error) {
    logger.room('gateway').error({ error }, 'the next cleanup could not be planned');
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
