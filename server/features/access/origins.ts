import type { Request } from 'express';
import { ACCESS_MESSAGES } from '../../../shared/api/access.ts';
import { NotAllowedError } from './errors.ts';
import type { AccessSettings } from './types.ts';

/** How a browser reaches the gateway, which decides the cookie. */
export type ConnectionKind = 'https' | 'loopback' | 'plain';

export interface Listening {
  host: string;
  port: number;
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]'];

/** The peer of the socket; headers of proxies are not believed. IPv4 in its plain form. */
export function addressOf(request: Request): string {
  return (request.socket.remoteAddress ?? 'unknown').replace(/^::ffff:(?=\d+\.)/u, '');
}

/** Whether a request cannot change anything. */
export function isSafe(request: Request): boolean {
  return SAFE_METHODS.has(request.method);
}

export function isLoopbackAddress(address: string): boolean {
  return address === '::1' || /^127\.\d+\.\d+\.\d+$/u.test(address);
}

/** The gateway's own origins: the loopback names at its port, the public address, and the allowed ones. */
export function trustedOrigins(settings: AccessSettings, listening: Listening): ReadonlySet<string> {
  const own = LOOPBACK_NAMES.map((name) => `http://${name}:${listening.port}`);
  const named = [settings.publicApiUrl(), ...settings.allowedOrigins()].filter((url) => url !== null);
  return new Set([...own, ...named].map(originOf).filter((origin) => origin !== null));
}

function originOf(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { origin, protocol } = new URL(url);
  return protocol === 'https:' || protocol === 'http:' ? origin : null;
}

/**
 * Checks the origin of a sign-in and says how the browser came. Behind a proxy that ends TLS the origin's scheme tells:
 * a page cannot choose its own. Throws a 403 refusal for a missing or strange origin and for refused plain HTTP.
 */
export function admitSignIn(
  request: Request,
  settings: AccessSettings,
  listening: Listening,
): ConnectionKind {
  const origin = request.headers.origin;
  if (origin === undefined) throw new NotAllowedError(ACCESS_MESSAGES.originMissing);
  if (!trustedOrigins(settings, listening).has(origin))
    throw new NotAllowedError(ACCESS_MESSAGES.originRefused);
  const page = new URL(origin);
  if (page.protocol === 'https:' || 'encrypted' in request.socket) return 'https';
  if (LOOPBACK_NAMES.includes(page.hostname) && isLoopbackAddress(addressOf(request))) return 'loopback';
  if (settings.allowInsecureHttpSessions()) return 'plain';
  throw new NotAllowedError(ACCESS_MESSAGES.insecure);
}

/** Refuses an unsafe request of a strange page; programs that name no origin pass. */
export function refuseStrangeOrigin(request: Request, settings: AccessSettings, listening: Listening): void {
  const origin = request.headers.origin;
  if (origin !== undefined && !trustedOrigins(settings, listening).has(origin))
    throw new NotAllowedError(ACCESS_MESSAGES.originRefused);
}
