import type { Request } from 'express';
import { accessRoutes as routes } from '../../../shared/api/access.ts';
import { type ServedRoute, serve } from '../../http/handler.ts';
import { Reply } from '../../http/reply.ts';
import { clearedCookies, sessionCookie } from './authentication/cookies.ts';
import {
  addressOf,
  type ConnectionKind,
  checkSignInOrigin,
  type Listening,
} from './authentication/origins.ts';
import { pageTokenHashOf } from './authentication/page-token.ts';
import { signInCookie, signInTokenOf } from './authentication/sign-in-cookies.ts';
import { NotAllowedError } from './errors.ts';
import { accessKeyServedRoutes } from './keys/access-key-routes.ts';
import { keyServedRoutes } from './keys/key-routes.ts';
import {
  type AccessService,
  type AccessSettings,
  actorOf,
  authenticatedCaller,
  type SignInService,
} from './service.ts';
import type { BegunSession } from './sign-in/begin-session.ts';
import { KNOWN_MS } from './sign-in/known-browsers.ts';
import { sessionServedRoutes } from './sign-in/session-routes.ts';

const MOST_DEVICE = 200;

export interface AccessRouteParts {
  service: AccessService;
  signIn: SignInService;
  settings: AccessSettings;
  listening: () => Listening;
}

/** Sign-in, identity, sessions, the first owner, and API keys. */
export function accessServedRoutes(parts: AccessRouteParts): ServedRoute[] {
  const { identity } = parts.signIn;
  return [
    ...signInRoutes(parts),
    serve(routes.welcome, async () => ({ setup_needed: await identity.setupNeeded() })),
    serve(routes.me, ({ caller }) => identity.me(authenticatedCaller(caller))),
    serve(routes.changePassword, async ({ caller, body }) => {
      const change = { current: body.current_password, next: body.password };
      await parts.signIn.changePassword(authenticatedCaller(caller), change);
      return { ok: true as const, password_change_required: false };
    }),
    ...sessionServedRoutes(parts.signIn),
    enrollRoute(parts),
    ...keyServedRoutes(parts.service),
    ...accessKeyServedRoutes(parts.service),
  ];
}

function signInRoutes(parts: AccessRouteParts): ServedRoute[] {
  const { signIn } = parts.signIn;
  const visitorOf = (request: Request, connection: ConnectionKind, requestId: string) => ({
    address: addressOf(request),
    connection,
    pageTokenHash: pageTokenHashOf(request),
    device: deviceOf(request),
    browserToken: signInTokenOf(request, connection, 'browser'),
    pendingToken: signInTokenOf(request, connection, 'sign_in'),
    requestId,
  });
  return [
    serve(routes.login, async ({ body, request, requestId }) => {
      const kind = checkSignInOrigin(request, parts.settings, parts.listening());
      return welcome(kind, await signIn.withPassword(body, visitorOf(request, kind, requestId)));
    }),
    serve(routes.keyLogin, async ({ body, request, requestId }) => {
      const kind = checkSignInOrigin(request, parts.settings, parts.listening());
      return welcome(kind, await signIn.withKey(body.api_key, visitorOf(request, kind, requestId)));
    }),
    serve(routes.logout, async ({ caller }) => {
      await parts.signIn.sessions.logout(authenticatedCaller(caller));
      return new Reply({ ok: true as const }, { headers: { 'Set-Cookie': clearedCookies() } });
    }),
  ];
}

/** What the browser calls itself, in one short line. */
function deviceOf(request: Request): string {
  return (request.get('user-agent') ?? '').replaceAll(/\p{Cc}/gu, ' ').slice(0, MOST_DEVICE);
}

function welcome(kind: ConnectionKind, begun: BegunSession) {
  const cookies = [sessionCookie(kind, begun.token, begun.seconds)];
  const { browserToken: known } = begun;
  if (known !== null) cookies.push(signInCookie(kind, 'browser', { token: known, seconds: KNOWN_MS / 1000 }));
  const body = { ok: true as const, password_change_required: begun.passwordChangeRequired };
  return new Reply(body, { headers: { 'Set-Cookie': cookies } });
}

function enrollRoute(parts: AccessRouteParts): ServedRoute {
  return serve(routes.enrollOwner, async ({ caller, body }) => {
    if (caller.principal.kind !== 'bootstrap') throw new NotAllowedError();
    const enrolled = await parts.service.enrollOwner(actorOf(caller), {
      login: body.login,
      displayName: body.display_name,
      expectedVersion: body.expected_policy_version,
    });
    const { user } = enrolled;
    return {
      first_owner: true,
      temporary_password: enrolled.temporaryPassword,
      user: {
        id: user.id,
        kind: user.kind,
        login: user.login,
        display_name: user.displayName,
        enabled: user.enabled,
        password_change_required: user.passwordChangeRequired,
        version: user.version,
      },
      policy_version: enrolled.policyVersion,
    };
  });
}
