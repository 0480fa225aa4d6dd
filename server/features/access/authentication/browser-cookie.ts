import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request } from 'express';
import type { ConnectionKind } from './origins.ts';

/** Of the cookie by which a browser is known, by connection; apart from those of sessions. */
const NAMES: Readonly<Record<ConnectionKind, string>> = {
  https: '__Host-faxdesk_browser',
  loopback: 'faxdesk_local_browser',
  plain: 'faxdesk_browser',
};
const TOKEN_FORM = /^[\w-]{43}$/u;

/** The token of a browser that signed in before over such a connection, or null. */
export function browserTokenOf(request: Request, kind: ConnectionKind): string | null {
  const token = parseCookie(request.headers.cookie ?? '')[NAMES[kind]];
  return token !== undefined && TOKEN_FORM.test(token) ? token : null;
}

/** The Set-Cookie header by which a browser is known again, for `seconds`. */
export function browserCookie(kind: ConnectionKind, token: string, seconds: number): string {
  return stringifySetCookie({
    name: NAMES[kind],
    value: token,
    path: '/',
    httpOnly: true,
    sameSite: 'strict',
    secure: kind === 'https',
    maxAge: Math.floor(seconds),
  });
}
