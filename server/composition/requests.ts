import { join } from 'node:path';
import { allRoutes } from '../../shared/api/all.ts';
import type { DeprecationId } from '../../shared/deprecations.ts';
import type { Provider } from '../adapters/providers/provider-port.ts';
import type { BootOptions } from '../config/boot.ts';
import { RELEASE } from '../config/release.ts';
import type { Database } from '../db/database.ts';
import { createAccessCheck } from '../http/access-check.ts';
import { createApp } from '../http/app.ts';
import { openApiRoutes } from '../http/docs.ts';
import { healthRoutes } from '../http/health.ts';
import { createMetrics } from '../http/metrics.ts';
import { createProviderCheck } from '../http/provider-check.ts';
import type { Clock } from '../platform/clock.ts';
import { gatewayFigures } from './figures.ts';
import { readinessChecks } from './health.ts';
import { backendNames, providerRoutes } from './providers.ts';
import { proxyCheck, requestSettings } from './request-settings.ts';
import type { Rooms } from './rooms.ts';
import type { Telemetry } from './telemetry.ts';

/** Creates the request handlers: the routes of the rooms, health, metrics, API description and console. */
export function createRequests(
  rooms: Rooms,
  parts: {
    boot: BootOptions;
    db: Database;
    clock: Clock;
    providers: readonly Provider[];
    listening: () => { host: string; port: number };
    proofSecret: string | null;
    telemetry: Telemetry | null;
  },
) {
  const { authenticator, logger } = rooms;
  const { boot, providers } = parts;
  const settings = requestSettings(rooms.settings);
  const isProxy = proxyCheck(settings.trustedProxies);
  const facts = {
    ...parts,
    documents: rooms.documents,
    storage: rooms.storage,
    keyProblem: rooms.keyProblem,
  };
  const metrics = createMetrics(gatewayFigures(rooms, facts));
  const app = createApp({
    served: [
      ...healthRoutes(
        readinessChecks(facts),
        () => rooms.warnings(),
        () => rooms.checkProblems(),
      ),
      ...metrics.routes,
      ...openApiRoutes([...allRoutes, ...providerRoutes(providers)], RELEASE, backendNames(providers)),
      ...rooms.list.flatMap(({ served }) => served),
    ],
    accessCheck: createAccessCheck({
      authenticator,
      limit: rooms.callerLimits.minuteLimit('requests'),
      perMinute: settings.requestsPerMinute,
    }),
    answeredRequests: rooms.answeredRequests,
    uploads: {
      directory: join(boot.dataFolder, 'work'),
      expectUpload: () => rooms.documents.warmUp(),
      newKey: () => rooms.storage.newKey(),
      maxBytes: settings.maxUploadBytes,
    },
    formerAddresses: Object.assign({}, ...providers.map(({ formerPaths }) => formerPaths)),
    onFormerAddress: (present) => rooms.notices.note('provider_addresses', vendorOf(providers, present)),
    onDeprecated: ({ id }, { principal }) =>
      rooms.notices.note(id as DeprecationId, { id: principal.id, name: principal.displayName }),
    providerCheck: createProviderCheck({ ...rooms.requestOrigins, isProxy }),
    metrics,
    ...(parts.telemetry ? { traced: parts.telemetry.middleware } : {}),
    logger: logger.room('http'),
    proofSecret: parts.proofSecret,
    isProxy,
    allowedOrigins: settings.allowedOrigins,
  });
  return { app, readMetrics: metrics.read };
}

/** Returns the provider that calls a path, as a user of it. */
function vendorOf(providers: readonly Provider[], path: string): { id: string; name: string } {
  const found = providers.find(({ formerPaths }) => Object.values(formerPaths).includes(path));
  return { id: found?.backend ?? path, name: found?.displayName ?? path };
}
