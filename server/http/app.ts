import express, { type Express } from 'express';
import type { Deprecation } from '../../shared/deprecations.ts';
import type { Logger } from '../platform/logger.ts';
import type { AccessCheck } from './access-check.ts';
import type { AnsweredRequests } from './answered-requests.ts';
import type { Caller } from './caller.ts';
import { type BuiltConsole, mountConsole } from './console-files.ts';
import { cors } from './cors.ts';
import { mountDocs } from './docs.ts';
import { errorHandler, notFound } from './error-handler.ts';
import { formerAddresses } from './former-addresses.ts';
import { mountGatewayProof } from './gateway-proof.ts';
import { mountRoutes, type ServedRoute, type UploadFolder } from './handler.ts';
import type { Metrics } from './metrics.ts';
import type { ProviderCheck } from './provider-check.ts';
import { removedAddresses } from './removed-addresses.ts';
import { createRepeats } from './repeats.ts';
import { checkHost, requestContext } from './request-context.ts';
import { securityHeaders } from './security-headers.ts';

/** Everything a request passes, in order. */
export function createApp(parts: {
  served: readonly ServedRoute[];
  accessCheck: AccessCheck;
  uploads: UploadFolder;
  /** Present paths by those of an earlier release, which are answered in the same way; none when left out. */
  formerAddresses?: Readonly<Record<string, string>>;
  /** Called when a request to a path of an earlier release was accepted; `present` is the path of today. */
  onFormerAddress?: (present: string) => void;
  /** Called when a recognized caller used a deprecated route. */
  onDeprecated?: (deprecation: Deprecation, caller: Caller) => void;
  /** Store of changes that were carried out; left out, a repeated change is a new one. */
  answeredRequests?: AnsweredRequests;
  /** Needed where routes of providers are served. */
  providerCheck?: ProviderCheck;
  metrics: Metrics;
  /** Follows requests in traces; left out while nothing is traced. */
  traced?: Metrics['middleware'];
  logger: Logger;
  /** Of this start, when a program that started the gateway wants to be sure of it. */
  proofSecret?: string | null;
  /** Returns true for peers whose X-Forwarded-For and -Proto headers are trusted; no peer's are when left out. */
  isProxy?: (address: string) => boolean;
  /** Origins of pages that may call the API; none when left out. */
  allowedOrigins?: () => readonly string[];
  /** Location of the built console; the default one when left out. */
  console?: BuiltConsole;
}): Express {
  const { served, accessCheck, uploads, metrics, logger } = parts;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.set('trust proxy', (address?: string) => address !== undefined && (parts.isProxy?.(address) ?? false));
  app.use(requestContext(logger));
  app.use(securityHeaders);
  app.use(checkHost);
  app.use(cors(parts.allowedOrigins ?? (() => [])));
  app.use(formerAddresses(parts.formerAddresses ?? {}, (present) => parts.onFormerAddress?.(present)));
  app.use(metrics.middleware);
  if (parts.traced) app.use(parts.traced);
  if (parts.proofSecret) mountGatewayProof(app, parts.proofSecret);
  const { providerCheck, onDeprecated } = parts;
  const repeats = parts.answeredRequests && createRepeats(parts.answeredRequests);
  mountRoutes(app, served, {
    accessCheck,
    uploads,
    ...(repeats ? { repeats } : {}),
    ...(providerCheck ? { providerCheck } : {}),
    ...(onDeprecated ? { onDeprecated } : {}),
  });
  mountDocs(app);
  mountConsole(app, parts.console);
  app.use(removedAddresses);
  app.use(notFound);
  app.use(errorHandler(logger));
  return app;
}
