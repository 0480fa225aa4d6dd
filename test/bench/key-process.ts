import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { z } from 'zod';
import { openDatabase } from '../../server/db/database.ts';
import { migrate } from '../../server/db/migrator.ts';
import { createSharedTime } from '../../server/db/shared-time.ts';
import { createAccess } from '../../server/features/access/room.ts';
import { createCountedEvents, createSecurityAudit } from '../../server/features/audit/service.ts';
import { createAccessCheck } from '../../server/http/access-check.ts';
import { createApp } from '../../server/http/app.ts';
import { serve } from '../../server/http/handler.ts';
import { healthRoutes } from '../../server/http/health.ts';
import { createMetrics } from '../../server/http/metrics.ts';
import { createMinuteLimits } from '../../server/http/rate-limit.ts';
import { systemClock } from '../../server/platform/clock.ts';
import { createLogger } from '../../server/platform/logger.ts';
import { createSeal } from '../../server/platform/seal.ts';
import { defineRoute } from '../../shared/api/route.ts';
import { BENCH_KEY } from './bench-key.ts';
import { childOptions, processorMs, serveCalls } from './child.ts';

// The gateway's own app and access room with one more route: it answers what /health answers, but only to a key.
const { dataFolder } = childOptions() as { dataFolder: string };
const signedInHealth = defineRoute({
  id: 'signedInHealth',
  room: 'bench',
  method: 'GET',
  path: '/signed-in-health',
  summary: 'The answer of /health for a known caller',
  access: 'signed-in',
  answer: { status: 200, schema: z.strictObject({ status: z.literal('ok') }) },
});

const db = openDatabase({ postgresUrl: null, sqliteFile: join(dataFolder, 'key.sqlite') });
await migrate(db.unrestricted as never);
const logger = createLogger({ write: () => undefined });
const server = createServer();
const port = () => (server.address() as AddressInfo).port;
const access = createAccess({
  db,
  clock: systemClock,
  sharedTime: createSharedTime({ db, clock: systemClock }),
  logger,
  audit: createSecurityAudit({ clock: systemClock }),
  counted: createCountedEvents({ db, clock: systemClock, logger, seal: createSeal(new Uint8Array(32)) }),
  seal: createSeal(new Uint8Array(32)),
  hashSecret: new Uint8Array(32),
  settings: {
    publicApiUrl: () => null,
    allowedOrigins: () => [],
    allowInsecureHttpSessions: () => false,
    trustedProxies: () => [],
    quickSignIn: () => 'off' as const,
    sessionIdleMinutes: () => 30,
    country: () => 'US',
    organization: () => null,
  },
  installationKey: BENCH_KEY,
  listening: () => ({ host: '127.0.0.1', port: port(), secureOrigins: [] }),
  documents: { find: () => Promise.reject(new Error('not asked')) },
});
await access.start();
server.on(
  'request',
  createApp({
    served: [
      ...healthRoutes(
        [],
        async () => [],
        async () => {},
      ),
      // Beside /health, because a path is looked up route by route.
      serve(signedInHealth, async () => ({ status: 'ok' as const })),
      ...access.served,
    ],
    accessCheck: createAccessCheck({
      authenticator: access.authenticator,
      limit: createMinuteLimits(systemClock)('requests'),
      perMinute: () => 0,
    }),
    uploads: { directory: dataFolder, expectUpload: () => undefined, newKey: () => null, maxBytes: () => 1 },
    metrics: createMetrics(async () => []),
    logger,
  }),
);
server.listen(0, '127.0.0.1', () => {
  serveCalls(
    { url: `http://127.0.0.1:${port()}` },
    {
      processorMs,
      stop: async () => {
        await access.stop();
        await db.close();
      },
    },
  );
});
