import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request } from 'express';
import type { ConnectionKind } from './origins.ts';

/**
 * Purpose of a cookie beside that of a session: to recognize a known browser, or to identify a sign-in that waits for
 * its second factor.
 */
type Purpose = 'browser' | 'sign_in';

const TOKEN_FORM = /^[\w-]{43}$/u;

function nameOf(purpose: Purpose, kind: ConnectionKind): string {
  switch (kind) {
    case 'https':
      return `__Host-faxdesk_${purpose}`;
    case 'loopback':
      return `faxdesk_local_${purpose}`;
    case 'plain':
      return `faxdesk_${purpose}`;
    default:
      return kind satisfies never;
  }
}

/** Returns the token for a purpose that was issued over this kind of connection, or null. */
export function signInTokenOf(request: Request, kind: ConnectionKind, purpose: Purpose): string | null {
  const token = parseCookie(request.headers.cookie ?? '')[nameOf(purpose, kind)];
  return token !== undefined && TOKEN_FORM.test(token) ? token : null;
}

/** A Set-Cookie header that keeps a token for `seconds`; none with null. */
export function signInCookie(
  kind: ConnectionKind,
  purpose: Purpose,
  { token, seconds }: { token: string | null; seconds: number },
): string {
  return stringifySetCookie({
    name: nameOf(purpose, kind),
    value: token ?? '',
    path: '/',
    httpOnly: true,
    sameSite: 'strict',
    secure: kind === 'https',
    maxAge: token === null ? 0 : Math.floor(seconds),
  });
}
