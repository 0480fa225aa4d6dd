import type { NextFunction, Request, Response } from 'express';
import { isLoopbackHost } from '../platform/public-address.ts';

const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "object-src 'none'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** A year. Browsers pass it over for a bare address. */
const HTTPS_ONLY = 'max-age=31536000';

/** Every answer is private, unsniffable and unframed; pages may load only from the gateway itself. */
export function securityHeaders(request: Request, response: Response, next: NextFunction): void {
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('X-Frame-Options', 'DENY');
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
  response.setHeader('Content-Security-Policy', PAGE_POLICY);
  // On this computer the plain address stays in use, under the same name.
  if (request.secure && !isLoopbackHost(request.hostname ?? ''))
    response.setHeader('Strict-Transport-Security', HTTPS_ONLY);
  next();
}
