import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, string | number | boolean>>;
}

interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Attribute[];
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
}

/** A collector of OpenTelemetry that takes OTLP over HTTP as JSON and keeps it. */
export interface Collector {
  readonly url: string;
  readonly spans: CollectedSpan[];
  /** Names of the metrics, with the bodies of each. */
  readonly metrics: Map<string, unknown>;
  readonly headers: IncomingHttpHeaders[];
  /** Everything that was received. */
  readonly bodies: string[];
  /** Status of its answers; null while it never answers. */
  status: number | null;
  close(): Promise<void>;
}

export async function startCollector(): Promise<Collector> {
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request);
    collector.headers.push(request.headers);
    collector.bodies.push(body);
    if (collector.status === null) return;
    if (collector.status === 200) keep(JSON.parse(body));
    response.writeHead(collector.status, { 'Content-Type': 'application/json' }).end('{}');
  };
  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const keep = (received: Received) => {
    for (const { scopeSpans } of received.resourceSpans ?? [])
      collector.spans.push(...scopeSpans.flatMap(({ spans }) => spans));
    for (const { scopeMetrics } of received.resourceMetrics ?? [])
      for (const metric of scopeMetrics.flatMap(({ metrics }) => metrics))
        collector.metrics.set(metric.name, metric);
  };
  const collector: Collector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: [],
    metrics: new Map(),
    headers: [],
    bodies: [],
    status: 200,
    async close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return collector;
}

interface Received {
  readonly resourceSpans?: readonly { readonly scopeSpans: readonly { readonly spans: CollectedSpan[] }[] }[];
  readonly resourceMetrics?: readonly {
    readonly scopeMetrics: readonly { readonly metrics: readonly { readonly name: string }[] }[];
  }[];
}

/** Attributes of a span by name. */
export const attributesOf = ({ attributes }: CollectedSpan): Record<string, string | number | boolean> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0] ?? '']));
