import { passkeyRoutes as routes } from '../../../../shared/api/access-passkeys.ts';
import { type ServedRoute, serve } from '../../../http/handler.ts';
import { Reply } from '../../../http/reply.ts';
import { ownCaller } from '../authenticated-caller.ts';
import type { Listening } from '../authentication/origins.ts';
import { signInCookie } from '../authentication/sign-in-cookies.ts';
import type { AccessSettings, SignInService } from '../service.ts';
import { PENDING_MS } from '../sign-in/pending-sign-ins.ts';
import { visitorOf, welcome } from '../sign-in/visitor.ts';
import type { StoredPasskey } from './own-passkeys.ts';
import { pageOf, proofOf } from './page-of.ts';

interface Parts {
  readonly signIn: SignInService;
  readonly settings: AccessSettings;
  readonly listening: () => Listening;
}

/** Signing in with a passkey, and the own passkeys. */
export function passkeyServedRoutes(parts: Parts): ServedRoute[] {
  return [...signInRoutes(parts), ...ownRoutes(parts)];
}

function signInRoutes(parts: Parts): ServedRoute[] {
  const { passkeySignIn } = parts.signIn;
  return [
    serve(routes.passkeyOptions, async ({ body, request, requestId }) => {
      const { kind, party } = pageOf(parts, request);
      const visitor = visitorOf(request, kind, requestId);
      if (body.second_factor) return await passkeySignIn.beginSecondFactor(party, visitor);
      const { options, token } = await passkeySignIn.begin(party, visitor);
      const cookie = signInCookie(kind, 'sign_in', { token, seconds: PENDING_MS / 1000 });
      return new Reply(options, { headers: { 'Set-Cookie': cookie } });
    }),
    serve(routes.passkeyLogin, async ({ body, request, requestId }) => {
      const { kind, party } = pageOf(parts, request);
      const visitor = visitorOf(request, kind, requestId);
      return welcome(kind, await passkeySignIn.signIn(body.passkey, party, visitor));
    }),
  ];
}

function ownRoutes(parts: Parts): ServedRoute[] {
  const { passkeys } = parts.signIn;
  return [
    serve(routes.listPasskeys, async ({ caller }) => ({
      items: (await passkeys.list(ownCaller(caller))).map(passkeyAnswer),
    })),
    serve(routes.passkeyProof, async ({ caller, request }) => {
      const person = ownCaller(caller);
      return await passkeys.proofOptions(person, pageOf(parts, request).party);
    }),
    serve(routes.beginPasskey, async ({ caller, request, body }) => {
      const person = ownCaller(caller);
      const { party } = pageOf(parts, request);
      return await passkeys.begin(person, party, proofOf(parts, request, body));
    }),
    serve(routes.addPasskey, async ({ caller, request, body }) => {
      const person = ownCaller(caller);
      const made = { name: body.name, answer: body.passkey };
      const added = await passkeys.add(person, pageOf(parts, request).party, made);
      return { passkey: passkeyAnswer(added.passkey), recovery_codes: added.recoveryCodes };
    }),
    serve(routes.removePasskey, async ({ caller, request, params, body }) => {
      await passkeys.remove(ownCaller(caller), params.id, proofOf(parts, request, body));
      return { ok: true as const };
    }),
  ];
}

function passkeyAnswer({ id, name, rp_id, created_at, last_used_at }: StoredPasskey) {
  return { id, name, host: rp_id, created_at, last_used_at };
}
