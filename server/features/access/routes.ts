import { accessRoutes as routes } from '../../../shared/api/access.ts';
import { type ServedRoute, serve } from '../../http/handler.ts';
import { Reply } from '../../http/reply.ts';
import { clearedCookies } from './authentication/cookies.ts';
import { checkSignInOrigin, type Listening } from './authentication/origins.ts';
import { NotAllowedError } from './errors.ts';
import { accessKeyServedRoutes } from './keys/access-key-routes.ts';
import { keyServedRoutes } from './keys/key-routes.ts';
import { passkeyServedRoutes } from './passkeys/passkey-routes.ts';
import { relyingPartyOf } from './passkeys/relying-party.ts';
import {
  type AccessService,
  type AccessSettings,
  actorOf,
  authenticatedCaller,
  type SignInService,
} from './service.ts';
import { quickSignInServedRoutes } from './sign-in/quick-sign-in-routes.ts';
import { sessionServedRoutes } from './sign-in/session-routes.ts';
import { twoFactorServedRoutes } from './sign-in/two-factor-routes.ts';
import { visitorOf, welcome } from './sign-in/visitor.ts';

interface AccessRouteParts {
  service: AccessService;
  signIn: SignInService;
  settings: AccessSettings;
  listening: () => Listening;
}

/** Sign-in with its second factors, identity, sessions, the first owner, and API keys. */
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
    ...twoFactorServedRoutes(parts),
    ...passkeyServedRoutes(parts),
    ...quickSignInServedRoutes(parts),
    enrollRoute(parts),
    ...keyServedRoutes(parts.service),
    ...accessKeyServedRoutes(parts.service),
  ];
}

function signInRoutes(parts: AccessRouteParts): ServedRoute[] {
  const { signIn } = parts.signIn;
  return [
    serve(routes.login, async ({ body, request, requestId }) => {
      const kind = checkSignInOrigin(request, parts.settings, parts.listening());
      const { passkey: answer, ...typed } = body;
      const passkey = answer && { answer, party: relyingPartyOf(request.headers.origin ?? '', kind) };
      const attempt = { ...typed, passkey };
      return welcome(kind, await signIn.withPassword(attempt, visitorOf(request, kind, requestId)));
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
