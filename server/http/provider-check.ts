import type { Request } from 'express';
import { RefusalError } from '../platform/errors.ts';

/** Throws a refusal for a request that no server of a provider sends: 403 for a web page, 421 for a strange host name. */
export type ProviderCheck = (request: Request) => void;

/**
 * Checks by the head alone, before a body is read. A web page of any site can post to a gateway on the same computer, and by
 * a name of its own that leads there it can even read the answer.
 */
export function createProviderCheck(parts: {
  /** Returns true for a request from a page of another site. */
  isForeignPage(request: Request): boolean;
  /** Returns true for a host name of the gateway: lower case, IPv6 without brackets. */
  isKnownHost(name: string): boolean;
  /** A listed proxy asks by whatever name it likes; it answers to the names that its own configuration says. */
  isProxy(address: string): boolean;
}): ProviderCheck {
  return (request) => {
    const site = request.get('sec-fetch-site');
    if (site === 'cross-site' || site === 'same-site' || parts.isForeignPage(request))
      throw new RefusalError('origin_refused');
    if (parts.isProxy(request.socket.remoteAddress ?? '')) return;
    const name = hostName(request.headers.host ?? '');
    if (name === null || !parts.isKnownHost(name)) throw new RefusalError('unknown_host');
  };
}

/** The name in a Host header, without the port; null when it is none. */
function hostName(host: string): string | null {
  if (!/^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/iu.test(host)) return null;
  const url = URL.parse(`http://${host}`);
  return url && url.hostname.replace(/^\[(.*)\]$/u, '$1').replace(/\.$/u, '');
}
