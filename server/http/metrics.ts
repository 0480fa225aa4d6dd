import type { NextFunction, Request, Response } from 'express';
import {
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client';
import { systemRoutes } from '../../shared/api/system.ts';
import type { Figure } from '../platform/figure.ts';
import { type ServedRoute, serve } from './handler.ts';
import { FileReply } from './reply.ts';
import { routeOf } from './request-context.ts';

export interface Metrics {
  readonly middleware: (request: Request, response: Response, next: NextFunction) => void;
  readonly routes: ServedRoute[];
  /** Returns everything that `/metrics` reports. */
  read(): Promise<MetricObjectWithValues<MetricValue<string>>[]>;
}

/** Process figures. One registry for all gateways of a process: its observers and its timer are never taken away. */
let processRegistry: Registry | undefined;

function processFigures(): Registry {
  if (processRegistry === undefined) {
    processRegistry = new Registry();
    collectDefaultMetrics({ register: processRegistry });
  }
  return processRegistry;
}

/** Process figures, request times by route pattern, and the given figures, which are read on each scrape. */
export function createMetrics(figures: () => Promise<readonly Figure[]>): Metrics {
  const registry = new Registry();
  // From the start on, not from the first scrape.
  const ofProcess = processFigures();
  const seconds = new Histogram({
    name: 'faxdesk_http_request_seconds',
    help: 'Time to answer a request',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  });
  const all = async () => Registry.merge([ofProcess, registry, registryOf(await figures())]);
  return {
    read: async () => (await all()).getMetricsAsJSON(),
    middleware(request, response, next) {
      const began = performance.now();
      response.on('finish', () => {
        if (response.locals['open']) return;
        const labels = {
          method: request.method,
          route: routeOf(response),
          status: String(response.statusCode),
        };
        seconds.observe(labels, (performance.now() - began) / 1000);
      });
      next();
    },
    routes: [
      serve(systemRoutes.metrics, async () => {
        return new FileReply(Buffer.from(await (await all()).metrics()), {
          contentType: registry.contentType,
        });
      }),
    ],
  };
}

/** Returns a registry with one gauge for each name. */
function registryOf(values: readonly Figure[]): Registry {
  const registry = new Registry();
  const gauges = new Map<string, Gauge>();
  for (const { name, help, labels = {}, value } of values) {
    let gauge = gauges.get(name);
    if (gauge === undefined) {
      gauge = new Gauge({
        name: `faxdesk_${name}`,
        help,
        labelNames: Object.keys(labels),
        registers: [registry],
      });
      gauges.set(name, gauge);
    }
    gauge.set(labels, value);
  }
  return registry;
}
