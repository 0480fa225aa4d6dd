import type { NextFunction, Request, Response } from 'express';
import { FIXED_MESSAGES } from '../../shared/api/errors.ts';
import { errorCode, RefusalError } from '../platform/errors.ts';
import type { Logger } from '../platform/logger.ts';
import { requestIdOf, routeOf } from './request-context.ts';

/** A body that does not fit its schema, as a list of places. */
export class InvalidBodyError extends Error {
  override name = 'InvalidBodyError';
  readonly issues: { loc: (string | number)[]; type: string; msg: string }[];
  constructor(issues: { loc: (string | number)[]; type: string; msg: string }[]) {
    super('the body does not fit its schema');
    this.issues = issues;
  }
}

export function notFound(_request: Request, _response: Response, next: NextFunction): void {
  next(new RefusalError(404, FIXED_MESSAGES.noRoute));
}

/** The one place where errors become answers. */
export function errorHandler(logger: Logger) {
  return (error: unknown, request: Request, response: Response, next: NextFunction): void => {
    if (response.headersSent) {
      logger.warn(
        { error, request_id: requestIdOf(response), route: routeOf(response) },
        'an answer was cut off',
      );
      response.destroy();
      return;
    }
    if (error instanceof InvalidBodyError) response.status(422).json({ detail: error.issues });
    else if (error instanceof RefusalError) refuse(error, response);
    else fail(error, logger, request, response);
    next();
  };
}

function refuse(error: RefusalError, response: Response): void {
  for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value);
  response.status(error.status).json({ detail: error.publicMessage });
}

/** Storage errors the person can do something about are named; everything else points to the log. */
function fail(error: unknown, logger: Logger, request: Request, response: Response): void {
  const id = requestIdOf(response);
  const clientError = (error as { status?: unknown } | null)?.status;
  if (typeof clientError === 'number' && clientError >= 400 && clientError < 500) {
    response.status(clientError).json({ detail: FIXED_MESSAGES.unreadableBody });
    return;
  }
  logger.error(
    { error, request_id: id, method: request.method, route: routeOf(response) },
    'a request failed',
  );
  if (['ENOSPC', 'SQLITE_FULL', 'EDQUOT', '53100'].includes(errorCode(error))) {
    response
      .status(507)
      .json({ detail: 'The disk of the gateway is full; nothing was recorded. Make room and try again.' });
    return;
  }
  response.status(500).json({ detail: `Something went wrong; the log has the details under ${id}.` });
}
