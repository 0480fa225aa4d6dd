import type { NextFunction, Request, Response } from 'express';
import { RefusalError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { Logger } from '../platform/logger.ts';

const ID_FORM = /^[\w.:-]{1,64}$/;

/** Echoes the caller's request id or makes one, and logs the end of every request: no query, no body, no numbers. */
export function requestContext(logger: Logger) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const given = request.get('x-request-id');
    const id = given && ID_FORM.test(given) ? given : newId();
    response.locals['requestId'] = id;
    response.setHeader('X-Request-Id', id);
    const began = performance.now();
    response.on('close', () => {
      logger.debug(
        {
          request_id: id,
          method: request.method,
          route: routeOf(response),
          status: response.statusCode,
          ms: Math.round(performance.now() - began),
          complete: response.writableFinished,
        },
        'request',
      );
    });
    next();
  };
}

/** Refuses requests without a Host header, which Node leaves to us. */
export function checkHost(request: Request, _response: Response, next: NextFunction): void {
  if (request.headers.host === undefined && request.httpVersion === '1.1') next(noHost());
  else next();
}

const noHost = () => new RefusalError('unreadable_request', { sentence: 'The request has no Host header.' });

export function requestIdOf(response: Response): string {
  return String(response.locals['requestId'] ?? '');
}

/** The route's pattern, never the address itself: an address may hold a token. */
export function routeOf(response: Response): string {
  return String(response.locals['route'] ?? 'none');
}
