import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request } from 'express';
import { isLoopbackAddress } from '../../../platform/public-address.ts';
import type { AccessSettings } from '../types.ts';
import { addressOf, type ConnectionKind, isSecure, mayEndElsewhere } from './origins.ts';

/** Cookie names by connection. The browser itself sends the first one back over HTTPS only. */
const COOKIE_NAMES: Readonly<Record<ConnectionKind, string>> = {
  https: '__Host-faxdesk_session',
  loopback: 'faxdesk_local_session',
  plain: 'faxdesk_session',
};
const KINDS = ['https', 'loopback', 'plain'] as const;

/**
 * Returns the proof of a session: its token under the cookie name it was issued with. A token is not valid under the
 * name of another kind of connection, which a thief could choose.
 */
export const sessionProof = (kind: ConnectionKind, token: string): string => `${COOKIE_NAMES[kind]}=${token}`;

/**
 * Returns the proof of a session from a request's cookies, or null. Ignores a cookie that does not match the
 * connection.
 */
export function sessionProofOf(request: Request, settings: AccessSettings): string | null {
  const header = request.headers.cookie;
  if (header === undefined) return null;
  const cookies = parseCookie(header);
  for (const kind of KINDS) {
    const token = cookies[COOKIE_NAMES[kind]];
    if (token && isAcceptable(kind, request, settings)) return sessionProof(kind, token);
  }
  return null;
}

function isAcceptable(kind: ConnectionKind, request: Request, settings: AccessSettings): boolean {
  switch (kind) {
    case 'https':
      return isSecure(request) || mayEndElsewhere(settings);
    case 'loopback':
      return !isSecure(request) && isLoopbackAddress(addressOf(request));
    case 'plain':
      return !isSecure(request) && settings.allowInsecureHttpSessions();
    default:
      return kind satisfies never;
  }
}

/** The Set-Cookie header of a new session. `seconds` until it ends. */
export function sessionCookie(kind: ConnectionKind, token: string, seconds: number): string {
  return stringifySetCookie({ ...attributes(kind), value: token, maxAge: Math.max(0, Math.floor(seconds)) });
}

/** Set-Cookie headers that remove every session cookie. */
export function clearedCookies(): string[] {
  return KINDS.map((kind) => stringifySetCookie({ ...attributes(kind), value: '', maxAge: 0 }));
}

function attributes(kind: ConnectionKind) {
  const name = COOKIE_NAMES[kind];
  return { name, path: '/', httpOnly: true, sameSite: 'strict' as const, secure: kind === 'https' };
}
