import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import { z } from 'zod';
import { type Database, openDatabase } from '../../server/db/database.ts';
import { migrate } from '../../server/db/migrator.ts';
import { createSharedTime } from '../../server/db/shared-time.ts';
import type { DocumentName } from '../../server/features/access/port.ts';
import { type Access, createAccess } from '../../server/features/access/room.ts';
import type { AccessSettings } from '../../server/features/access/service.ts';
import { argon2Hasher, type PasswordHasher } from '../../server/features/access/sign-in/passwords.ts';
import { auditServedRoutes } from '../../server/features/audit/routes.ts';
import {
  type CountedEvents,
  createAuditReader,
  createCountedEvents,
  createSecurityAudit,
  listSecurityEvents,
} from '../../server/features/audit/service.ts';
import { describeContext } from '../../server/features/console/context.ts';
import { createCatalog } from '../../server/features/settings/catalog.ts';
import { createAccessCheck } from '../../server/http/access-check.ts';
import { errorHandler, notFound } from '../../server/http/error-handler.ts';
import { mountRoutes, serve } from '../../server/http/handler.ts';
import { createMinuteLimits } from '../../server/http/rate-limit.ts';
import { requestContext } from '../../server/http/request-context.ts';
import { createLogger } from '../../server/platform/logger.ts';
import { createSeal } from '../../server/platform/seal.ts';
import { contextRoute } from '../../shared/api/console-context.ts';
import { defineRoute } from '../../shared/api/route.ts';
import type { QuickSignInSetting } from '../../shared/states/access.ts';

export const INSTALLATION_KEY = 'installation-key-of-this-test';

/** A room of its own, and a route that says what the caller may do. */
const lookRoute = defineRoute({
  id: 'look',
  room: 'test',
  method: 'GET',
  path: '/look',
  summary: 'What the caller holds',
  access: 'signed-in',
  answer: { status: 200, schema: z.record(z.string(), z.array(z.string())) },
});
const sendRoute = defineRoute({
  ...lookRoute,
  id: 'send',
  method: 'POST',
  path: '/send',
  access: 'fax:send',
});

export interface Answer {
  status: number;
  // Tests look into answers of every shape.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
  cookies: string[];
  headers: Headers;
}

interface RequestOptions {
  key?: string;
  cookie?: string | undefined;
  csrf?: string | undefined;
  origin?: string | null;
  body?: unknown;
  /** The address that asks, as a listed proxy reports it; this computer's when left out. */
  from?: string | undefined;
}

export interface TestGateway {
  url: string;
  origin: string;
  port: number;
  db: Database;
  access: Access;
  clock: { ms: number; now(): number };
  settings: Record<keyof AccessSettings, unknown>;
  verifications: () => number;
  logged: string[];
  request(method: string, path: string, request?: RequestOptions): Promise<Answer>;
  events(): Promise<Awaited<ReturnType<typeof listSecurityEvents>>['items']>;
  stop(): Promise<void>;
}

interface GatewayOptions {
  installationKey?: string | null;
  settings?: Partial<Record<keyof AccessSettings, unknown>>;
  /** PostgreSQL instead of a temporary SQLite file. */
  postgresUrl?: string;
  /** A second process on the same database. */
  beside?: TestGateway;
  /** Lead of its clock over that of the gateway beside it, in ms. */
  leadMs?: number;
  /** True to count attempts by the time of PostgreSQL; default by the clock. */
  hasDatabaseTime?: boolean;
}

/** Data that rooms which are not part of these tests would provide to the console. */
const CONSOLE = {
  settings: {
    snapshot: () => ({
      revisionId: 'revision-1',
      generation: 3,
      values: {
        ...createCatalog([]).defaults(),
        FAX_BACKEND: 'sip',
        INBOUND_ENABLED: true,
        MAX_FILE_SIZE_MB: 25,
      },
    }),
  },
  hasWorkQueue: false,
  receivingThrough: () => [],
  routeNames: async () => [],
  routing: { names: () => ({ sip: 'Telephony' }) },
};

/** Documents that the room of received faxes would return. */
const DOCUMENTS: Readonly<Record<string, DocumentName>> = {
  'fax-in-one': { name: 'Fax of 5 Oct 2026 from +1 202 555 0199', mailboxId: 'one' },
  'fax-in-none': { name: 'Fax of 4 Oct 2026 from an unknown number', mailboxId: null },
};

async function findDocuments(_db: unknown, ids: readonly string[]): Promise<Map<string, DocumentName>> {
  return new Map(Object.entries(DOCUMENTS).filter(([id]) => ids.includes(id)));
}

/** The access room behind real HTTP, on a temporary SQLite file and a manual clock. */
export async function startGateway(options: GatewayOptions = {}): Promise<TestGateway> {
  const folder = options.beside ? null : await mkdtemp(join(tmpdir(), 'faxdesk-access-'));
  const db =
    options.beside?.db ??
    openDatabase({ postgresUrl: options.postgresUrl ?? null, sqliteFile: join(folder ?? '', 'test.db') });
  if (folder) await migrate(db.unrestricted as never);
  const clock = clockOf(options);
  const logged: string[] = [];
  const logger = createLogger({ level: 'debug', write: (line) => logged.push(line) });
  const values = {
    publicApiUrl: null,
    allowedOrigins: [],
    allowInsecureHttpSessions: false,
    trustedProxies: [],
    quickSignIn: 'pin',
    sessionIdleMinutes: 30,
    country: 'US',
    organization: 'Example Clinic',
    ...options.settings,
  };
  let verifications = 0;
  const hasher: PasswordHasher = {
    hash: argon2Hasher.hash,
    verify: async (hash, password) => {
      verifications += 1;
      return await argon2Hasher.verify(hash, password);
    },
  };
  const port = { now: 0 };
  const dataKey = new Uint8Array(32);
  const seal = createSeal(dataKey);
  const counted = createCountedEvents({ db, clock, logger, seal });
  const access = createAccess({
    db,
    clock,
    sharedTime: createSharedTime({
      db,
      clock,
      databaseClock: options.hasDatabaseTime ? undefined : (options.beside?.clock ?? clock),
    }),
    logger,
    audit: createSecurityAudit({ clock, seal }),
    counted,
    seal,
    hashSecret: dataKey,
    settings: settingsOf(values),
    installationKey: options.installationKey === undefined ? INSTALLATION_KEY : options.installationKey,
    listening: () => ({ host: '127.0.0.1', port: port.now, secureOrigins: [] }),
    documents: { find: findDocuments },
    hasher,
  });
  await access.start();
  const server = appOf(access, { db, clock, logger, counted, seal }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  port.now = (server.address() as AddressInfo).port;
  const url = `http://127.0.0.1:${port.now}`;
  return {
    url,
    origin: url,
    port: port.now,
    db,
    access,
    clock,
    settings: values,
    logged,
    verifications: () => verifications,
    request: (method, path, request = {}) => requestAt(url, method, path, request),
    events: async () => {
      await counted.flush();
      return (await listSecurityEvents(db.read, { limit: 200 })).items;
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await access.stop();
      await counted.stop();
      if (!folder) return;
      await db.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A clock beside another one that is ahead of it by the lead; the same one without a lead. */
function clockOf({ beside, leadMs }: GatewayOptions): TestGateway['clock'] {
  if (!beside) return manualClock();
  return leadMs === undefined ? beside.clock : { ...manualClock(), ms: beside.clock.ms + leadMs };
}

function manualClock() {
  return {
    ms: Date.UTC(2026, 9, 5, 8),
    now(): number {
      return this.ms;
    },
  };
}

function settingsOf(values: Record<string, unknown>): AccessSettings {
  return {
    publicApiUrl: () => values['publicApiUrl'] as string | null,
    allowedOrigins: () => values['allowedOrigins'] as string[],
    allowInsecureHttpSessions: () => values['allowInsecureHttpSessions'] === true,
    trustedProxies: () => values['trustedProxies'] as string[],
    quickSignIn: () => values['quickSignIn'] as QuickSignInSetting,
    sessionIdleMinutes: () => Number(values['sessionIdleMinutes']),
    country: () => String(values['country']),
    organization: () => String(values['organization']),
  };
}

function appOf(
  access: Access,
  parts: {
    db: Database;
    clock: TestGateway['clock'];
    logger: ReturnType<typeof createLogger>;
    counted: CountedEvents;
    seal: ReturnType<typeof createSeal>;
  },
) {
  const app = express();
  app.set('trust proxy', 'loopback');
  app.use(requestContext(parts.logger));
  app.get('/health', (_request, response) => {
    response.json({ status: 'ok' });
  });
  const limit = createMinuteLimits(parts.clock)('requests');
  const accessCheck = createAccessCheck({ authenticator: access.authenticator, limit, perMinute: () => 0 });
  const look = serve(lookRoute, async ({ caller }) => ({
    installation: [...caller.permissions].sort(),
    mailbox: ['inbound:list', 'inbound:read'].filter((p) => caller.holds(p as never, 'mailbox:one')),
    anywhere: ['inbound:list', 'fax:send'].filter((p) => caller.holdsAnywhere(p as never)),
  }));
  const context = serve(contextRoute, ({ caller }) => describeContext({ db: parts.db, ...CONSOLE }, caller));
  const send = serve(sendRoute, async () => ({ sent: [] }));
  const uploads = {
    directory: tmpdir(),
    expectUpload: () => undefined,
    newKey: () => null,
    maxBytes: () => 1,
  };
  const audit = auditServedRoutes(createAuditReader(parts), async () => new Map());
  mountRoutes(app, [...access.served, ...audit, look, context, send], {
    accessCheck,
    uploads,
  });
  app.use(notFound, errorHandler(parts.logger));
  return app;
}

async function requestAt(
  url: string,
  method: string,
  path: string,
  request: RequestOptions,
): Promise<Answer> {
  const headers: Record<string, string> = {};
  if (request.key !== undefined) headers['X-API-Key'] = request.key;
  if (request.cookie !== undefined) headers['Cookie'] = request.cookie;
  if (request.csrf !== undefined) headers['X-CSRF-Token'] = request.csrf;
  if (request.from !== undefined) headers['X-Forwarded-For'] = request.from;
  if (request.origin) headers['Origin'] = request.origin;
  if (request.body !== undefined) headers['Content-Type'] = 'application/json';
  const body = request.body === undefined ? null : JSON.stringify(request.body);
  const response = await fetch(url + path, { method, headers, body });
  const text = await response.text();
  return {
    status: response.status,
    body: text === '' ? null : JSON.parse(text),
    cookies: response.headers.getSetCookie(),
    headers: response.headers,
  };
}

/** `name=value` of the cookie that was set. */
export function cookieOf(answer: Answer): string {
  return answer.cookies[0]?.split(';')[0] ?? '';
}

export function signIn(gateway: TestGateway, login: string, password: string): Promise<Answer> {
  return gateway.request('POST', '/auth/login', { origin: gateway.origin, body: { login, password } });
}

/** A session's cookie and CSRF token, after a sign-in that must succeed. */
export async function sessionOf(
  gateway: TestGateway,
  answer: Answer,
): Promise<{ cookie: string; csrf: string }> {
  if (answer.status !== 200) throw new Error(`the sign-in answered ${answer.status}`);
  const cookie = cookieOf(answer);
  const me = await gateway.request('GET', '/auth/me', { cookie });
  return { cookie, csrf: me.body.csrf_token };
}
