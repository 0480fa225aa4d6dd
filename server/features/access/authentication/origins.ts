import { isIP } from 'node:net';
import type { Request } from 'express';
import { plainAddress } from '../../../platform/address-range.ts';
import { hostNames } from '../../../platform/own-names.ts';
import { isLoopbackAddress } from '../../../platform/public-address.ts';
import { NotAllowedError } from '../errors.ts';
import type { AccessSettings } from '../types.ts';

/** Connection of a browser to the gateway, which decides the cookie. */
export type ConnectionKind = 'https' | 'loopback' | 'plain';

export interface Listening {
  host: string;
  port: number;
  /** Origins of the pages that the gateway serves over HTTPS itself. */
  secureOrigins: readonly string[];
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * Returns the client's address: the peer of the socket, or the right-most address in X-Forwarded-For that is not a
 * listed proxy. IPv4 in its plain form; `unknown` when a proxy names no address.
 */
export function addressOf(request: Request): string {
  const address = plainAddress(request.ip ?? '');
  return isIP(address) === 0 ? 'unknown' : address;
}

/** Returns true when a request came over HTTPS, to the gateway or to a listed proxy that reports it. */
export function isSecure(request: Request): boolean {
  return request.secure;
}

/** Returns true when a proxy that is not listed may end HTTPS: there is an address for it, and no proxy is listed. */
export function mayEndElsewhere(settings: AccessSettings): boolean {
  const outside = [settings.publicApiUrl(), ...settings.allowedOrigins()];
  return settings.trustedProxies().length === 0 && outside.some((url) => url?.startsWith('https:') ?? false);
}

/** Returns true when a request cannot change anything. */
export function isSafe(request: Request): boolean {
  return SAFE_METHODS.has(request.method);
}

/**
 * Returns true when a program on this computer addresses this gateway: over plain HTTP from a loopback address, with a
 * loopback name and this port as its host, and not forwarded by a proxy. A web page whose own host name resolves to
 * this computer names another host.
 */
export function isOfThisComputer(request: Request, listening: Listening): boolean {
  const { socket, headers } = request;
  const isPassedOn = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'forwarded', 'via'].some(
    (name) => headers[name] !== undefined,
  );
  return (
    !endsTlsHere(request) &&
    listening.secureOrigins.length === 0 &&
    !isPassedOn &&
    isLoopbackAddress(plainAddress(socket.remoteAddress ?? '')) &&
    LOOPBACK_NAMES.some((name) => headers.host === `${name}:${listening.port}`)
  );
}

/**
 * The gateway's own origins: the loopback names at its port, or those of its HTTPS for what came in there; the public
 * address; the allowed ones; and, where sign-in over plain HTTP is allowed, the address in the network that it came to.
 */
function trustedOrigins(
  request: Request,
  settings: AccessSettings,
  listening: Listening,
): ReadonlySet<string> {
  const own = endsTlsHere(request)
    ? listening.secureOrigins
    : LOOPBACK_NAMES.map((name) => `http://${name}:${listening.port}`);
  const inNetwork = settings.allowInsecureHttpSessions() ? [originInNetwork(request)] : [];
  const named = [...inNetwork, settings.publicApiUrl(), ...settings.allowedOrigins()].filter(
    (url) => url !== null,
  );
  return new Set([...own, ...named].map(originOf).filter((origin) => origin !== null));
}

/**
 * Returns the origin of pages at the address of a plain request, where that names this computer in its own network: an
 * address, this computer's own name, or a name of a kind that cannot be registered on the internet. Any other name
 * could be pointed at this computer by a web page.
 */
function originInNetwork(request: Request): string | null {
  const { host } = request.headers;
  if (host === undefined || endsTlsHere(request) || !URL.canParse(`http://${host}`)) return null;
  const { hostname, origin } = new URL(`http://${host}`);
  const isAddress = isIP(hostname.replace(/^\[(.*)\]$/u, '$1')) !== 0;
  const isLocalName = /^[^.]+$|\.(?:local|lan|internal|home\.arpa)$/u.test(hostname);
  return isAddress || isLocalName || hostNames().includes(hostname) ? origin : null;
}

function endsTlsHere({ socket }: Request): boolean {
  return 'encrypted' in socket;
}

function originOf(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { origin, protocol } = new URL(url);
  return protocol === 'https:' || protocol === 'http:' ? origin : null;
}

/**
 * Checks the origin of a sign-in and returns the kind of connection. Behind a proxy that ends TLS the origin's scheme
 * decides: a page cannot choose its own. Throws a 403 refusal for a missing or foreign origin and for refused plain
 * HTTP.
 */
export function checkSignInOrigin(
  request: Request,
  settings: AccessSettings,
  listening: Listening,
): ConnectionKind {
  const origin = request.headers.origin;
  if (origin === undefined) throw new NotAllowedError('origin_missing');
  if (!trustedOrigins(request, settings, listening).has(origin))
    throw new NotAllowedError(origin === originInNetwork(request) ? 'insecure_sign_in' : 'origin_refused');
  const page = new URL(origin);
  if (page.protocol === 'https:' || isSecure(request)) return 'https';
  if (LOOPBACK_NAMES.includes(page.hostname) && isLoopbackAddress(addressOf(request))) return 'loopback';
  if (settings.allowInsecureHttpSessions()) return 'plain';
  throw new NotAllowedError('insecure_sign_in');
}

/** Returns true for a request from a page of another site; programs name no origin. */
export function isForeignPage(request: Request, settings: AccessSettings, listening: Listening): boolean {
  const origin = request.headers.origin;
  return origin !== undefined && !trustedOrigins(request, settings, listening).has(origin);
}

/** Refuses an unsafe request of a strange page; programs that name no origin pass. */
export function refuseUntrustedOrigin(
  request: Request,
  settings: AccessSettings,
  listening: Listening,
): void {
  if (isForeignPage(request, settings, listening)) throw new NotAllowedError('origin_refused');
}
