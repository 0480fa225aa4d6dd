import { quickSignInRoutes as routes } from '../../../../shared/api/access-quick-sign-in.ts';
import { type ServedRoute, serve } from '../../../http/handler.ts';
import { ownCaller } from '../authenticated-caller.ts';
import { checkSignInOrigin } from '../authentication/origins.ts';
import { type PageParts, proofOf } from '../passkeys/page-of.ts';
import type { SignInService } from '../service.ts';
import { visitorOf, welcome } from './visitor.ts';

/** Signing in with a PIN or a card, and the caller's own. */
export function quickSignInServedRoutes(
  parts: PageParts & { readonly signIn: SignInService },
): ServedRoute[] {
  const { quickSignIn, ownQuickSignIn } = parts.signIn;
  const kindOf = (request: Parameters<typeof checkSignInOrigin>[0]) =>
    checkSignInOrigin(request, parts.settings, parts.listening());
  return [
    serve(routes.listQuickSignIns, async ({ request, requestId }) => {
      const { people, takesCards } = await quickSignIn.people(visitorOf(request, kindOf(request), requestId));
      return {
        people: people.map(({ id, login, displayName }) => ({ id, login, display_name: displayName })),
        takes_cards: takesCards,
      };
    }),
    serve(routes.pinLogin, async ({ body, request, requestId }) => {
      const kind = kindOf(request);
      const attempt = { personId: body.person_id, pin: body.pin };
      return welcome(kind, await quickSignIn.withPin(attempt, visitorOf(request, kind, requestId)));
    }),
    serve(routes.cardLogin, async ({ body, request, requestId }) => {
      const kind = kindOf(request);
      return welcome(kind, await quickSignIn.withCard(body.card, visitorOf(request, kind, requestId)));
    }),
    serve(routes.quickSignIn, async ({ caller }) => {
      const { allowed, hasPin, hasCard } = await ownQuickSignIn.state(ownCaller(caller));
      return { allowed, has_pin: hasPin, has_card: hasCard };
    }),
    serve(routes.setPin, async ({ caller, request, body }) => {
      await ownQuickSignIn.setPin(ownCaller(caller), body.pin, proofOf(parts, request, body));
      return { ok: true as const };
    }),
    serve(routes.setCard, async ({ caller, request, body }) => {
      await ownQuickSignIn.setCard(ownCaller(caller), body.card, proofOf(parts, request, body));
      return { ok: true as const };
    }),
    serve(routes.removeQuickSignIn, async ({ caller, body }) => {
      await ownQuickSignIn.remove(ownCaller(caller), body.what);
      return { ok: true as const };
    }),
  ];
}
