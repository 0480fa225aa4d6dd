import { join } from 'node:path';
import { allRoutes } from '../shared/api/all.ts';
import type { Provider } from './adapters/providers/provider-port.ts';
import { createApp } from './app.ts';
import type { BootOptions } from './config/boot.ts';
import { readinessChecks, waitingJobs } from './console.ts';
import type { Database } from './db/database.ts';
import type { Settings } from './features/settings/service.ts';
import { openApiRoutes } from './http/docs.ts';
import { createDoor } from './http/door.ts';
import { healthRoutes } from './http/health.ts';
import { createMetrics } from './http/metrics.ts';
import { MinuteLimit } from './http/rate-limit.ts';
import { createRangeCheck } from './platform/address-range.ts';
import type { Clock } from './platform/clock.ts';
import type { Logger } from './platform/logger.ts';
import { backendNames, providerRoutes } from './providers.ts';
import { RELEASE } from './release.ts';
import type { Rooms } from './rooms.ts';

/** What answers every request: the routes of the rooms, health, figures, description and console. */
export function requestsOf(
  rooms: Rooms,
  parts: {
    boot: BootOptions;
    db: Database;
    clock: Clock;
    providers: readonly Provider[];
    logger: Logger;
    proofSecret: string | null;
  },
) {
  const { settings, outbound, access } = rooms;
  const { boot, db, clock, providers, logger } = parts;
  const metrics = createMetrics([
    { name: 'faxdesk_faxes', help: 'Faxes by state', label: 'state', values: () => outbound.counts() },
    {
      name: 'faxdesk_jobs_waiting',
      help: 'Background work by kind',
      label: 'kind',
      values: () => waitingJobs(db),
    },
  ]);
  return createApp({
    served: [
      ...healthRoutes(readinessChecks(boot, db)),
      ...metrics.routes,
      ...openApiRoutes([...allRoutes, ...providerRoutes(providers)], RELEASE, backendNames(providers)),
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
    proofSecret: parts.proofSecret,
    isProxy: proxyCheck(settings),
  });
}

/** Follows the setting; its list is read anew only after a change. */
function proxyCheck(settings: Settings): (address: string) => boolean {
  let known = settings.get('TRUSTED_PROXIES');
  let check = createRangeCheck(known);
  return (address) => {
    const now = settings.get('TRUSTED_PROXIES');
    if (now !== known) check = createRangeCheck(now);
    known = now;
    return check(address);
  };
}
