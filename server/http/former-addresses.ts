import type { RequestHandler, Response } from 'express';
import { DEPRECATIONS } from '../../shared/deprecations.ts';

const FORMER_PATH = 'formerPath';
const SUNSET = new Date(DEPRECATIONS.provider_addresses.sunset).toUTCString();

/**
 * Answers requests to paths of an earlier release as the present ones, which `addresses` names by them: they stand in the
 * consoles of providers. `onAccepted` is called with the present path after a request that was not refused.
 */
export function formerAddresses(
  addresses: Readonly<Record<string, string>>,
  onAccepted: (present: string) => void,
): RequestHandler {
  return (request, response, next) => {
    const present = Object.hasOwn(addresses, request.path) ? addresses[request.path] : undefined;
    if (present === undefined) return next();
    const former = request.path;
    response.locals[FORMER_PATH] = former;
    response.setHeader('Deprecation', 'true');
    response.setHeader('Sunset', SUNSET);
    response.setHeader('Link', `<${present}>; rel="successor-version"`);
    response.once('finish', () => {
      if (response.statusCode < 400) onAccepted(present);
    });
    request.url = present + request.url.slice(former.length);
    next();
  };
}

/** Returns the path of an earlier release that was called, which is what the caller signed; null for a present one. */
export function formerPathOf(response: Response): string | null {
  const path: unknown = response.locals[FORMER_PATH];
  return typeof path === 'string' ? path : null;
}
