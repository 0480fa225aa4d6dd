import type { NextFunction, Request, Response } from 'express';
import {
  currentRequest,
  newSpanId,
  newTraceId,
  parseTraceparent,
  type TracedSpan,
} from '../platform/trace.ts';
import { routeOf } from './request-context.ts';

/** Routes that monitoring and open windows call all the time. */
const UNTRACED = /^\/(?:health|metrics|console|admin\/ui|docs)(?:\/|$)/u;

/**
 * Creates a handler that sends a span for each answered request, in the trace that its header `traceparent` names, else
 * in a new one. The span has links to the faxes that the request changed.
 */
export function createTracedRequests(
  send: (span: TracedSpan) => void,
  now: () => number,
): (request: Request, response: Response, next: NextFunction) => void {
  return (request, response, next) => {
    if (UNTRACED.test(request.path)) return next();
    const parent = parseTraceparent(request.get('traceparent'));
    const trace = { traceId: parent?.traceId ?? newTraceId(), spanId: newSpanId(), links: [] };
    const startMs = now();
    response.on('finish', () => {
      const route = routeOf(response);
      const status = response.statusCode;
      send({
        ...trace,
        parentSpanId: parent?.spanId ?? null,
        name: `${request.method} ${route}`,
        kind: 'server',
        startMs,
        endMs: Math.max(now(), startMs),
        isError: status >= 500,
        attributes: {
          'http.request.method': request.method,
          'http.route': route,
          'http.response.status_code': status,
        },
      });
    });
    currentRequest.run(trace, next);
  };
}
