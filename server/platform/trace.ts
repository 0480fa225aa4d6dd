import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { tracingChannel } from 'node:diagnostics_channel';
import { sha256Hex } from './hash.ts';
import type { TracedFax } from './traced-fax.ts';

/** Place in a trace, as W3C Trace Context names it: 32 and 16 lowercase hex digits. */
export interface TraceContext {
  readonly traceId: string;
  readonly spanId: string;
}

/** Section of a trace. Times are epoch ms; attributes hold no numbers, names or file names. */
export interface TracedSpan extends TraceContext {
  readonly parentSpanId: string | null;
  readonly name: string;
  readonly kind: 'server' | 'internal';
  readonly startMs: number;
  readonly endMs: number;
  readonly isError: boolean;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  readonly links: readonly TraceContext[];
}

/** Request under way in a trace, with the faxes that it changed. */
interface RequestTrace extends TraceContext {
  readonly links: TraceContext[];
}

/** The request in which code runs; empty while nothing is traced. */
export const currentRequest = new AsyncLocalStorage<RequestTrace>();

/** Work of the document process on uploads; costs nothing while nobody subscribes. */
export const preparing = tracingChannel<unknown, PreparingTrace>('faxdesk:prepare');

/** Facts that go with one piece of that work. */
export interface PreparingTrace {
  request?: RequestTrace;
  startMs?: number;
  result?: unknown;
  error?: unknown;
}

const TRACE_DIGITS = 32;
const SPAN_DIGITS = 16;
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(?:$|-)/u;

/** Parses the header `traceparent`; null when there is none or it is not valid. */
export function parseTraceparent(header: string | undefined): TraceContext | null {
  const [, traceId, spanId] = TRACEPARENT.exec(header ?? '') ?? [];
  return traceId === undefined || spanId === undefined ? null : { traceId, spanId };
}

export const newTraceId = (): string => randomBytes(TRACE_DIGITS / 2).toString('hex');
export const newSpanId = (): string => randomBytes(SPAN_DIGITS / 2).toString('hex');

/**
 * Returns the place of a fax in its trace. It follows from the id, so that every gateway, and one after a restart, has
 * the same without storing it.
 */
export function faxTrace(id: string, part = ''): TraceContext {
  return {
    traceId: sha256Hex(`trace of ${id}`).slice(0, TRACE_DIGITS),
    spanId: sha256Hex(`span of ${id} ${part}`).slice(0, SPAN_DIGITS),
  };
}

/** Returns the spans of a fax: one for the whole, and one for each step but the last, which is its end. */
export function spansOfFax(fax: TracedFax, links: readonly TraceContext[]): TracedSpan[] {
  const times = fax.steps.map(({ at }) => Date.parse(at));
  const [begin = 0, end = begin] = [times[0], times.at(-1)];
  const whole = faxTrace(fax.id);
  const { name, isError, attributes } = fax;
  const base = { kind: 'internal', attributes: { 'fax.id': fax.id } } as const;
  return [
    {
      ...base,
      ...whole,
      parentSpanId: null,
      name,
      startMs: begin,
      endMs: end,
      isError,
      attributes: { ...base.attributes, ...attributes },
      links,
    },
    ...fax.steps.slice(0, -1).map((step, at) => ({
      ...base,
      ...faxTrace(fax.id, String(at)),
      parentSpanId: whole.spanId,
      name: step.name,
      startMs: times[at] ?? begin,
      endMs: Math.max(times[at + 1] ?? end, times[at] ?? begin),
      isError: false,
      links: [],
    })),
  ];
}
