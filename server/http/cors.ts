import type { NextFunction, Request, Response } from 'express';
import { ACT_ID_HEADER } from '../../shared/act-id.ts';
import { ERROR_CODE_HEADER } from '../../shared/errors/all.ts';

/** Headers that programs in a page may send. Cookies and what belongs to them are not among them. */
const REQUEST_HEADERS = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-None-Match',
  'If-Range',
  'Range',
  'X-API-Key',
  ACT_ID_HEADER,
  'X-Request-Id',
].join(', ');

/** Headers of answers that programs in a page may read. */
const ANSWER_HEADERS = [
  'Accept-Ranges',
  'Content-Disposition',
  'Content-Range',
  'Deprecation',
  'ETag',
  'Idempotency-Replayed',
  'Link',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Sunset',
  'WWW-Authenticate',
  ERROR_CODE_HEADER,
  'X-Ignored',
  'X-Request-Id',
].join(', ');

/** Time in seconds for which a browser need not ask again before each request. */
const PREFLIGHT_S = 600;

/**
 * Lets pages of the listed origins call the API with a key of their own, and answers what their browser asks before a
 * request. There is no permission for cookies, so a page of another origin never acts under a person's session.
 */
export function cors(allowedOrigins: () => readonly string[]) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const { origin } = request.headers;
    if (origin === undefined) return next();
    const origins = allowedOrigins();
    if (origins.length > 0) response.append('Vary', 'Origin');
    if (!origins.includes(origin)) return next();
    response.setHeader('Access-Control-Allow-Origin', origin);
    response.setHeader('Access-Control-Expose-Headers', ANSWER_HEADERS);
    const method = request.headers['access-control-request-method'];
    if (request.method !== 'OPTIONS' || method === undefined) return next();
    response.setHeader('Access-Control-Allow-Methods', 'GET, HEAD, POST, PUT, PATCH, DELETE');
    response.setHeader('Access-Control-Allow-Headers', REQUEST_HEADERS);
    response.setHeader('Access-Control-Max-Age', String(PREFLIGHT_S));
    response.status(204).end();
  };
}
