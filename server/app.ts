import express, { type Express } from 'express';
import { mountDocs } from './http/docs.ts';
import { errorHandler, notFound } from './http/error-handler.ts';
import { type Doorkeeper, mountRoutes, type ServedRoute, type UploadPlace } from './http/handler.ts';
import type { Metrics } from './http/metrics.ts';
import { requestContext } from './http/request-context.ts';
import { securityHeaders } from './http/security-headers.ts';
import type { Logger } from './platform/logger.ts';

/** Everything a request passes, in order. */
export function createApp(parts: {
  served: readonly ServedRoute[];
  door: Doorkeeper;
  uploads: UploadPlace;
  metrics: Metrics;
  logger: Logger;
}): Express {
  const { served, door, uploads, metrics, logger } = parts;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.use(requestContext(logger));
  app.use(securityHeaders);
  app.use(metrics.middleware);
  mountRoutes(app, served, { door, uploads });
  mountDocs(app);
  // The console takes this place; until then the interface itself is what there is to see.
  app.get('/admin/ui{/*path}', (_request, response) => response.redirect(302, '/docs'));
  app.get('/', (_request, response) => response.redirect(302, '/admin/ui/'));
  app.use(notFound);
  app.use(errorHandler(logger));
  return app;
}
