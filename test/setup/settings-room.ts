import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import { PROVIDERS } from '../../server/composition/providers.ts';
import { type Database, openDatabase } from '../../server/db/database.ts';
import { migrate } from '../../server/db/migrator.ts';
import { createSecurityAudit } from '../../server/features/audit/service.ts';
import { createCatalog } from '../../server/features/settings/catalog.ts';
import { settingsServedRoutes } from '../../server/features/settings/routes.ts';
import {
  createSettingsService,
  type SettingsParts,
  type SettingsService,
} from '../../server/features/settings/service.ts';
import { createAccessCheck } from '../../server/http/access-check.ts';
import type { Caller } from '../../server/http/caller.ts';
import { errorHandler, notFound } from '../../server/http/error-handler.ts';
import { mountRoutes } from '../../server/http/handler.ts';
import { createMinuteLimits } from '../../server/http/rate-limit.ts';
import { requestContext } from '../../server/http/request-context.ts';
import { createAllowedFolders } from '../../server/platform/allowed-folders.ts';
import { createLogger } from '../../server/platform/logger.ts';
import { createSeal } from '../../server/platform/seal.ts';
import { ALL_PERMISSIONS, type Permission } from '../../shared/permissions.ts';

export const CLOCK = { now: () => Date.UTC(2026, 9, 1, 8, 30) };
const DATA_KEY = Buffer.alloc(32, 7);

export interface Answer {
  status: number;
  headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- answers are looked into freely
  body: any;
}

/** A settings room on a real database behind a real HTTP server, as one process of the gateway has it. */
export interface SettingsProcess {
  settings: SettingsService;
  database: Database;
  folder: string;
  log: string[];
  call(method: string, path: string, body?: unknown, permissions?: readonly Permission[]): Promise<Answer>;
  /** Every byte of the database's files and of the log, as text. */
  everythingWritten(): Promise<string>;
  /** Ends this process and begins the next on the same data. */
  restart(options?: StartOptions): Promise<SettingsProcess>;
  stop(): Promise<void>;
}

export interface StartOptions
  extends Partial<
    Pick<
      SettingsParts,
      | 'audit'
      | 'environment'
      | 'formerDefaultBackend'
      | 'checkProvider'
      | 'checks'
      | 'isNetworkOff'
      | 'hasLocalHttps'
    >
  > {
  folder?: string;
  postgresUrl?: string;
  dataKey?: Uint8Array;
}

/** With an address that has to be HTTPS, and a connection whose check answers what it was tried with. */
export const CHECKED: StartOptions = {
  checks: {
    CLOUDONE_API_URL: (url) => (url.startsWith('https://') ? null : 'The address must use HTTPS.'),
  },
  checkProvider: async (backend, values) => ({
    ok: true,
    detail: JSON.stringify([
      backend,
      values['CLOUDONE_API_KEY'],
      values['CLOUDONE_API_SECRET'],
      values['CLOUDONE_API_URL'],
    ]),
  }),
};

export async function startSettings(options: StartOptions = {}): Promise<SettingsProcess> {
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'faxdesk-settings-')));
  const database = openDatabase({
    postgresUrl: options.postgresUrl ?? null,
    sqliteFile: join(folder, 'faxdesk.db'),
  });
  const log: string[] = [];
  const logger = createLogger({ level: 'debug', write: (line) => log.push(line) });
  try {
    await migrate(database.unrestricted as never);
    const settings = await createSettingsService({
      db: database,
      clock: CLOCK,
      seal: createSeal(options.dataKey ?? DATA_KEY),
      audit: options.audit ?? createSecurityAudit({ clock: CLOCK }),
      logger,
      environment: options.environment ?? {},
      isNetworkOff: options.isNetworkOff ?? false,
      hasLocalHttps: options.hasLocalHttps ?? false,
      checks: options.checks ?? {},
      catalog: createCatalog(PROVIDERS),
      formerDefaultBackend: options.formerDefaultBackend ?? null,
      checkProvider: options.checkProvider ?? (async () => ({ ok: true, detail: 'Fine.' })),
      dataFolder: folder,
      folders: createAllowedFolders({ dataFolder: folder, startFolders: ['/var/log'] }),
    });
    const server = await listen(settings, logger);
    const stop = async () => {
      server.close();
      await database.close();
    };
    return {
      settings,
      database,
      folder,
      log,
      call: (method, path, body, permissions) =>
        call(`http://127.0.0.1:${server.port}${path}`, method, body, permissions),
      everythingWritten: async () => {
        const names = (await readdir(folder)).filter((name) => name.startsWith('faxdesk.db'));
        const files = await Promise.all(names.map((name) => readFile(join(folder, name), 'latin1')));
        return [...files, ...log].join('\n');
      },
      async restart(changed = {}) {
        await stop();
        return await startSettings({ ...options, ...changed, folder });
      },
      stop,
    };
  } catch (error) {
    await database.close();
    throw Object.assign(error as Error, { folder });
  }
}

/** The value in force of any setting, those of the providers too. */
export function valueOf({ settings }: Pick<SettingsProcess, 'settings'>, name: string): unknown {
  const values: Readonly<Record<string, unknown>> = settings.snapshot().values;
  return values[name];
}

export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}

async function listen(settings: SettingsService, logger: ReturnType<typeof createLogger>) {
  const app = express();
  app.use(requestContext(logger));
  const authenticator = {
    authenticate: async (request: express.Request) => callerOf(request),
    onChange: () => () => undefined,
    recordRefusal: async () => undefined,
  };
  const accessCheck = createAccessCheck({
    authenticator,
    limit: createMinuteLimits(CLOCK)('requests'),
    perMinute: () => 0,
  });
  const uploads = {
    directory: tmpdir(),
    expectUpload: () => undefined,
    newKey: () => null,
    maxBytes: () => 1,
  };
  mountRoutes(app, settingsServedRoutes({ settings }), { accessCheck, uploads });
  app.use(notFound, errorHandler(logger));
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The test says in a header what its caller may do. */
function callerOf(request: express.Request): Caller {
  const permissions = new Set((request.get('x-test-permissions') ?? '').split(',') as Permission[]);
  return {
    principal: { id: 'person-1', kind: 'user', displayName: 'Ada Admin', version: 1 },
    credential: { kind: 'session', id: 'session-1' },
    policyVersion: 4,
    requestId: request.get('x-request-id') ?? null,
    isTest: false,
    permissions,
    holds: (permission) => permissions.has(permission),
    holdsAnywhere: (permission) => permissions.has(permission),
  };
}

async function call(
  url: string,
  method: string,
  body?: unknown,
  permissions: readonly Permission[] = ALL_PERMISSIONS,
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: {
      'X-Test-Permissions': permissions.join(','),
      'X-Request-Id': 'request-1',
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}
