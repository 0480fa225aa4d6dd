import type { Request } from 'express';
import { Reply } from '../../../http/reply.ts';
import { sessionCookie } from '../authentication/cookies.ts';
import { addressOf, type ConnectionKind } from '../authentication/origins.ts';
import { pageTokenHashOf } from '../authentication/page-token.ts';
import { signInCookie, signInTokenOf } from '../authentication/sign-in-cookies.ts';
import type { BegunSession, Visitor } from './begin-session.ts';
import { BROWSER_LIFETIME_MS } from './known-browsers.ts';

const MAX_DEVICE_LENGTH = 200;

/** Returns the visitor that a sign-in request comes from. */
export function visitorOf(request: Request, connection: ConnectionKind, requestId: string): Visitor {
  return {
    address: addressOf(request),
    connection,
    pageTokenHash: pageTokenHashOf(request),
    device: deviceOf(request),
    browserToken: signInTokenOf(request, connection, 'browser'),
    pendingToken: signInTokenOf(request, connection, 'sign_in'),
    requestId,
  };
}

/** Returns the user agent in one short line. */
function deviceOf(request: Request): string {
  return (request.get('user-agent') ?? '').replaceAll(/\p{Cc}/gu, ' ').slice(0, MAX_DEVICE_LENGTH);
}

/** The answer to a sign-in, with its cookies. */
export function welcome(kind: ConnectionKind, begun: BegunSession) {
  const cookies = [sessionCookie(kind, begun.token, begun.seconds)];
  const { browserToken: known } = begun;
  if (known !== null)
    cookies.push(signInCookie(kind, 'browser', { token: known, seconds: BROWSER_LIFETIME_MS / 1000 }));
  const body = { ok: true as const, password_change_required: begun.passwordChangeRequired };
  return new Reply(body, { headers: { 'Set-Cookie': cookies } });
}
