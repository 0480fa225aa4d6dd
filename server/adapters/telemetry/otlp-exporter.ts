import { type Link, SpanKind, SpanStatusCode, TraceFlags, ValueType } from '@opentelemetry/api';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { AggregationTemporality, DataPointType, type MetricData } from '@opentelemetry/sdk-metrics';
import {
  BatchSpanProcessor,
  SamplingDecision,
  type SpanExporter,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';
import { createOutgoingAgents } from '../../platform/outgoing-agents.ts';
import type { TraceContext, TracedSpan } from '../../platform/trace.ts';

interface ExporterOptions {
  /** Web address of the collector, without `/v1/traces`. */
  readonly endpoint: string;
  /** `name=value`, separated by commas; null for none. */
  readonly headers: string | null;
  readonly serviceName: string;
  readonly release: string;
  /** From when counters count, in epoch ms. */
  readonly startedMs: number;
  /** Share of the traces that are sent, 0 to 1. */
  readonly share: number;
  /** Called with the reason when something could not be sent, and with null when it could. */
  onResult(problem: string | null): void;
}

/** Metric with its values, as the registry of `/metrics` has it. */
interface ExportedMetric {
  readonly name: string;
  readonly help: string;
  readonly type: unknown;
  readonly values: readonly {
    readonly value: number;
    readonly labels: Readonly<Record<string, string | number | undefined>>;
    readonly metricName?: string;
  }[];
}

/** Sends traces and metrics to a collector. Nothing waits for it, and what does not fit its queue is dropped. */
interface OtlpExporter {
  sendSpan(span: TracedSpan): void;
  sendMetrics(metrics: readonly ExportedMetric[], at: number): void;
  /** Sends the waiting spans, for at most two seconds. */
  stop(): Promise<void>;
}

const MAX_WAITING = 2_048;
const TIMEOUT_MS = 10_000;
const STOP_MS = 2_000;
const SCOPE = { name: 'faxdesk' };

export function createOtlpExporter(options: ExporterOptions): OtlpExporter {
  const { release, serviceName, onResult } = options;
  const resource = resourceFromAttributes({ 'service.name': serviceName, 'service.version': release });
  const { httpAgent, httpsAgent } = createOutgoingAgents();
  const connection = (path: string) => ({
    url: `${options.endpoint.replace(/\/+$/u, '')}${path}`,
    headers: parseHeaders(options.headers),
    timeoutMillis: TIMEOUT_MS,
    httpAgentOptions: (protocol: string) => (protocol === 'https:' ? httpsAgent : httpAgent),
  });
  const spans = new BatchSpanProcessor({
    exporter: reporting(new OTLPTraceExporter(connection('/v1/traces')), onResult),
    maxQueueSize: MAX_WAITING,
    exportTimeoutMillis: TIMEOUT_MS,
  });
  const metricExporter = new OTLPMetricExporter(connection('/v1/metrics'));
  const sampler = new TraceIdRatioBasedSampler(options.share);
  return {
    sendSpan(span) {
      // Decided by the id of the trace, so that a trace is whole or not there.
      if (sampler.shouldSample(NO_CONTEXT, span.traceId).decision === SamplingDecision.NOT_RECORD) return;
      spans.onEnd({ ...readable(span), resource });
    },
    sendMetrics(metrics, at) {
      const times = { startTime: toHrTime(options.startedMs), endTime: toHrTime(at) };
      const data = metrics.map((metric) => metricData(metric, times)).filter((each) => each !== null);
      metricExporter.export({ resource, scopeMetrics: [{ scope: SCOPE, metrics: data }] }, (result) =>
        onResult(result.error?.message ?? null),
      );
    },
    async stop() {
      const ended = Promise.all([spans.shutdown(), metricExporter.shutdown()]).catch(() => undefined);
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, STOP_MS).unref())]);
      httpAgent.destroy();
      httpsAgent.destroy();
    },
  };
}

const NO_CONTEXT = {} as never;

/** Reports the result of each batch. */
function reporting(exporter: SpanExporter, onResult: (problem: string | null) => void): SpanExporter {
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        onResult(result.error?.message ?? null);
        done(result);
      }),
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  };
}

function parseHeaders(text: string | null): Record<string, string> {
  const pairs = (text ?? '').split(',').map((pair) => pair.split(/=(.*)/su));
  return Object.fromEntries(
    pairs
      .filter(([name = '', value]) => name.trim() !== '' && value !== undefined)
      .map(([name = '', value = '']) => [name.trim(), decoded(value.trim())]),
  );
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

const toHrTime = (ms: number): [number, number] => [Math.floor(ms / 1000), Math.round((ms % 1000) * 1e6)];

const contextOf = ({ traceId, spanId }: TraceContext) => ({
  traceId,
  spanId,
  traceFlags: TraceFlags.SAMPLED,
});

function readable(span: TracedSpan) {
  const { parentSpanId, traceId, startMs, endMs } = span;
  return {
    name: span.name,
    kind: span.kind === 'server' ? SpanKind.SERVER : SpanKind.INTERNAL,
    spanContext: () => contextOf(span),
    ...(parentSpanId === null ? {} : { parentSpanContext: contextOf({ traceId, spanId: parentSpanId }) }),
    startTime: toHrTime(startMs),
    endTime: toHrTime(endMs),
    duration: toHrTime(endMs - startMs),
    status: { code: span.isError ? SpanStatusCode.ERROR : SpanStatusCode.UNSET },
    attributes: { ...span.attributes },
    links: span.links.map((link): Link => ({ context: contextOf(link) })),
    events: [],
    ended: true,
    instrumentationScope: SCOPE,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

type Times = { readonly startTime: [number, number]; readonly endTime: [number, number] };

/** Returns null for a kind of metric that the registry does not use. */
function metricData(metric: ExportedMetric, times: Times): MetricData | null {
  const descriptor = {
    name: metric.name,
    description: metric.help,
    unit: '',
    valueType: ValueType.DOUBLE,
  };
  const base = { descriptor, aggregationTemporality: AggregationTemporality.CUMULATIVE };
  const points = () =>
    metric.values.map(({ value, labels }) => ({ ...times, value, attributes: { ...labels } }));
  switch (metric.type) {
    case 'gauge':
      return { ...base, dataPointType: DataPointType.GAUGE, dataPoints: points() };
    case 'counter':
      return { ...base, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: points() };
    case 'histogram':
      return { ...base, dataPointType: DataPointType.HISTOGRAM, dataPoints: histograms(metric, times) };
    default:
      return null;
  }
}

/** Collects the buckets of each combination of labels; those of the registry are cumulative. */
function histograms({ name, values }: ExportedMetric, times: Times) {
  const groups = new Map<
    string,
    { labels: Record<string, string>; buckets: [number, number][]; sum: number }
  >();
  for (const { labels, value, metricName } of values) {
    const { le, ...others } = labels;
    const key = JSON.stringify(others);
    const group = groups.get(key) ?? { labels: others as Record<string, string>, buckets: [], sum: 0 };
    groups.set(key, group);
    if (metricName === `${name}_sum`) group.sum = value;
    if (le !== undefined) group.buckets.push([le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le), value]);
  }
  return [...groups.values()].map(({ labels, buckets, sum }) => {
    const sorted = buckets.toSorted(([a], [b]) => a - b);
    const counts = sorted.map(([, count], at) => count - (sorted[at - 1]?.[1] ?? 0));
    const boundaries = sorted.map(([le]) => le).filter((le) => Number.isFinite(le));
    const value = { buckets: { boundaries, counts }, sum, count: sorted.at(-1)?.[1] ?? 0 };
    return { ...times, attributes: labels, value };
  });
}
