import { RELEASE } from '../config/release.ts';
import type { Room } from '../features/room.ts';
import type { Settings } from '../features/settings/service.ts';
import type { Metrics } from '../http/metrics.ts';
import { createTracedRequests } from '../http/traced-requests.ts';
import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/logger.ts';
import {
  currentRequest,
  faxTrace,
  newSpanId,
  type PreparingTrace,
  preparing,
  spansOfFax,
  type TraceContext,
  type TracedSpan,
} from '../platform/trace.ts';

/** Traces and metrics for a collector; null while none is set. */
export interface Telemetry {
  readonly middleware: Metrics['middleware'];
  /** Follows the faxes of the rooms, and sends the metrics once a minute. */
  start(rooms: readonly Room[], readMetrics: Metrics['read']): void;
  stop(): Promise<void>;
}

interface TelemetryParts {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly logger: Logger;
}

const METRICS_MS = 60_000;
/** Faxes whose requests are remembered until they end. */
const MAX_REMEMBERED = 10_000;

/** Creates what the settings ask for. The packages of OpenTelemetry are loaded only then. */
export async function openTelemetry({ settings, clock, logger }: TelemetryParts): Promise<Telemetry | null> {
  const endpoint = settings.get('OTEL_EXPORTER_OTLP_ENDPOINT');
  if (endpoint === null) return null;
  const { createOtlpExporter } = await import('../adapters/telemetry/otlp-exporter.ts');
  let isAway = false;
  const exporter = createOtlpExporter({
    endpoint,
    headers: settings.get('OTEL_EXPORTER_OTLP_HEADERS'),
    serviceName: settings.get('OTEL_SERVICE_NAME'),
    release: RELEASE,
    startedMs: clock.now(),
    share: Number(settings.get('OTEL_TRACES_SAMPLER_ARG')),
    onResult(problem) {
      if (problem !== null && !isAway) logger.warn({ problem }, 'the collector of traces does not take them');
      if (problem === null && isAway) logger.info({}, 'the collector of traces takes them again');
      isAway = problem !== null;
    },
  });
  const send = (span: TracedSpan) => exporter.sendSpan(span);
  const now = () => clock.now();
  const ends: (() => void)[] = [followPreparing(send, now)];
  return {
    middleware: createTracedRequests(send, now),
    start(rooms, readMetrics) {
      const sendMetrics = () =>
        void readMetrics()
          .then((found) => exporter.sendMetrics(found, now()))
          .catch((error: unknown) => logger.warn({ error }, 'the metrics could not be read'));
      const timer = setInterval(sendMetrics, METRICS_MS).unref();
      ends.push(() => clearInterval(timer), ...rooms.map((room) => followFaxes(room, { send, logger })));
      sendMetrics();
    },
    async stop() {
      for (const end of ends) end();
      await exporter.stop();
    },
  };
}

/** Sends the trace of each fax of a room once it has come to its end; links it with the requests that changed it. */
function followFaxes(
  { events, traceOf }: Room,
  { send, logger }: { send: (span: TracedSpan) => void; logger: Logger },
): () => void {
  if (traceOf === null) return () => undefined;
  const requests = new Map<string, TraceContext[]>();
  /** Number of steps that were sent, by fax: later facts about one, such as its costs, send nothing again. */
  const sent = new Map<string, number>();
  const follow = async (id: string) => {
    const fax = await traceOf(id);
    if (fax === null || sent.get(id) === fax.steps.length) return;
    sent.set(id, fax.steps.length);
    dropOldest(sent);
    for (const span of spansOfFax(fax, requests.get(id) ?? [])) send(span);
    requests.delete(id);
  };
  const ends = events
    .filter(({ kind }) => kind === 'fax.changed' || kind === 'inbound.changed')
    .map((source) =>
      source.listen(({ id }) => {
        const request = currentRequest.getStore();
        if (request) {
          request.links.push(faxTrace(id));
          remember(requests, id, request);
        }
        follow(id).catch((error: unknown) => logger.warn({ error, id }, 'a fax could not be traced'));
      }),
    );
  return () => ends.forEach((end) => end());
}

function remember(
  requests: Map<string, TraceContext[]>,
  id: string,
  { traceId, spanId }: TraceContext,
): void {
  const known = requests.get(id) ?? [];
  if (known.some((each) => each.spanId === spanId)) return;
  requests.set(id, [...known, { traceId, spanId }]);
  dropOldest(requests);
}

function dropOldest(remembered: Map<string, unknown>): void {
  const [oldest] = remembered.keys();
  if (remembered.size > MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
}

/** Sends a span for the work of the document process on the upload of a request. */
function followPreparing(send: (span: TracedSpan) => void, now: () => number): () => void {
  const start = (work: PreparingTrace) => {
    const request = currentRequest.getStore();
    if (request) Object.assign(work, { request, startMs: now() });
  };
  const asyncEnd = ({ request, startMs = now(), result, error }: PreparingTrace) => {
    if (!request) return;
    const { pages, sizeBytes } = (result ?? {}) as { pages?: number; sizeBytes?: number };
    send({
      traceId: request.traceId,
      spanId: newSpanId(),
      parentSpanId: request.spanId,
      name: 'document.prepare',
      kind: 'internal',
      startMs,
      endMs: Math.max(now(), startMs),
      isError: error !== undefined,
      attributes: {
        ...(pages === undefined ? {} : { 'document.pages': pages }),
        ...(sizeBytes === undefined ? {} : { 'document.bytes': sizeBytes }),
      },
      links: [],
    });
  };
  const subscribers = { start, asyncEnd } as Parameters<typeof preparing.subscribe>[0];
  preparing.subscribe(subscribers);
  return () => preparing.unsubscribe(subscribers);
}
