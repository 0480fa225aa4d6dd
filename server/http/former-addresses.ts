import type { RequestHandler, Response } from 'express';
import type { Logger } from '../platform/logger.ts';

const FORMER_PATH = 'formerPath';

/**
 * Answers requests to paths of an earlier release as the present ones, which `addresses` names by them: they stand in the
 * consoles of providers. The log names each of them once.
 */
export function formerAddresses(addresses: Readonly<Record<string, string>>, logger: Logger): RequestHandler {
  const seen = new Set<string>();
  return (request, response, next) => {
    const present = Object.hasOwn(addresses, request.path) ? addresses[request.path] : undefined;
    if (present === undefined) return next();
    const former = request.path;
    if (!seen.has(former)) {
      seen.add(former);
      logger.warn(
        { former, present },
        'a provider calls an address of an earlier release; enter the present one there',
      );
    }
    response.locals[FORMER_PATH] = former;
    response.setHeader('Deprecation', 'true');
    response.setHeader('Link', `<${present}>; rel="successor-version"`);
    request.url = present + request.url.slice(former.length);
    next();
  };
}

/** Returns the path of an earlier release that was called, which is what the caller signed; null for a present one. */
export function formerPathOf(response: Response): string | null {
  const path: unknown = response.locals[FORMER_PATH];
  return typeof path === 'string' ? path : null;
}
