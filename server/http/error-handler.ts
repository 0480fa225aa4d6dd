import type { NextFunction, Request, Response } from 'express';
import { FIXED_MESSAGES } from '../../shared/api/errors.ts';
import { errorCode, RefusalError } from '../platform/errors.ts';
import type { Logger } from '../platform/logger.ts';
import { sendJson } from './early-answer.ts';
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

/** Before the answer was whole, and before it was begun. */
const LEFT = ['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_UNABLE_TO_PIPE'];

/** The one place where errors become answers. */
export function errorHandler(logger: Logger) {
  return (error: unknown, request: Request, response: Response, _next: NextFunction): void => {
    const facts = { request_id: requestIdOf(response), method: request.method, route: routeOf(response) };
    // Whoever asked has gone, so nothing went wrong here and nobody waits for an answer.
    if (LEFT.includes(errorCode(error)) && request.destroyed) {
      logger.debug(facts, 'the caller left before the answer was whole');
      response.destroy();
      return;
    }
    if (response.headersSent) {
      logger.warn({ error, ...facts }, 'an answer was cut off');
      response.destroy();
      return;
    }
    // What was set for the bytes that now do not come.
    for (const name of ['Content-Type', 'Content-Length', 'Content-Disposition']) response.removeHeader(name);
    const { status, detail } = answerFor(error, facts.request_id);
    if (error instanceof RefusalError) {
      for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value);
    }
    report(logger, error, status, facts);
    sendJson(request, response, status, { detail });
  };
}

/** Storage errors the person can do something about are named; everything else unforeseen points to the log. */
function answerFor(error: unknown, id: string): { status: number; detail: unknown } {
  if (error instanceof InvalidBodyError) return { status: 422, detail: error.issues };
  if (error instanceof RefusalError) return { status: error.status, detail: error.publicMessage };
  // An address with a broken %-sequence names nothing.
  if (error instanceof URIError) return { status: 404, detail: FIXED_MESSAGES.noRoute };
  if (['ENOSPC', 'SQLITE_FULL', 'EDQUOT', '53100'].includes(errorCode(error)))
    return {
      status: 507,
      detail: 'The disk of the gateway is full; nothing was recorded. Make room and try again.',
    };
  return { status: 500, detail: `Something went wrong; the log has the details under ${id}.` };
}

/** Refusals of the caller are only noted; what went wrong on this side is logged with its cause. */
function report(logger: Logger, error: unknown, status: number, facts: object): void {
  if (status < 500)
    logger.debug({ ...facts, status, reason: internalReason(error) }, 'a request was refused');
  else if (error instanceof RefusalError) logger.warn({ error, status, ...facts }, 'a request was refused');
  else logger.error({ error, ...facts }, 'a request failed');
}

/** The public sentence stays out of the log: it may repeat what the caller wrote. */
function internalReason(error: unknown): string | undefined {
  if (!(error instanceof RefusalError) || error.message === error.publicMessage) return undefined;
  return error.message;
}
