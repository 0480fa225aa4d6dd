import type { NextFunction, Request, Response } from 'express';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { systemRoutes } from '../../shared/api/system.ts';
import { type ServedRoute, serve } from './handler.ts';
import { FileReply } from './reply.ts';
import { routeOf } from './request-context.ts';

/** Gauge whose values are read on each scrape. */
interface GaugeSource {
  readonly name: string;
  readonly help: string;
  readonly label: string;
  values(): Promise<Readonly<Record<string, number>>>;
}

export interface Metrics {
  readonly middleware: (request: Request, response: Response, next: NextFunction) => void;
  readonly routes: ServedRoute[];
}

/** Process figures, request times by route pattern, and the given gauges. */
export function createMetrics(sources: readonly GaugeSource[]): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const seconds = new Histogram({
    name: 'faxdesk_http_request_seconds',
    help: 'Time to answer a request',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  });
  for (const source of sources) addGauge(registry, source);
  return {
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
        const text = Buffer.from(await registry.metrics());
        return new FileReply(text, { contentType: registry.contentType });
      }),
    ],
  };
}

function addGauge(registry: Registry, source: GaugeSource): void {
  const gauge = new Gauge({
    name: source.name,
    help: source.help,
    labelNames: [source.label],
    registers: [],
    async collect() {
      this.reset();
      for (const [value, count] of Object.entries(await source.values()))
        this.set({ [source.label]: value }, count);
    },
  });
  registry.registerMetric(gauge);
}
