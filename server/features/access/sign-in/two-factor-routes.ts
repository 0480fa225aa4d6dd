import { twoFactorRoutes as routes } from '../../../../shared/api/access-two-factor.ts';
import { type ServedRoute, serve } from '../../../http/handler.ts';
import { epochOf, isoTime } from '../../../platform/clock.ts';
import { ownCaller } from '../authenticated-caller.ts';
import { type PageParts, proofOf, secondOf } from '../passkeys/page-of.ts';
import type { SignInService } from '../service.ts';

/** Routes of the own second factor: authenticator app and recovery codes, and notices about sign-ins without it. */
export function twoFactorServedRoutes(parts: PageParts & { signIn: SignInService }): ServedRoute[] {
  const { twoFactor, pending } = parts.signIn;
  return [
    serve(routes.twoFactor, async ({ caller }) => {
      const { recoveryCodesLeft, ...state } = await twoFactor.state(ownCaller(caller));
      return { ...state, recovery_codes_left: recoveryCodesLeft };
    }),
    serve(routes.beginTwoFactor, async (call) => {
      const begun = await twoFactor.begin(ownCaller(call.caller), proofOf(parts, call.request, call.body));
      return { secret: begun.secret, otpauth_uri: begun.otpauthUri };
    }),
    serve(routes.confirmTwoFactor, async (call) => ({
      recovery_codes: await twoFactor.confirm(ownCaller(call.caller), call.body.code),
    })),
    serve(routes.renewRecoveryCodes, async (call) => ({
      recovery_codes: await twoFactor.renewRecoveryCodes(
        ownCaller(call.caller),
        secondOf(parts, call.request, call.body),
      ),
    })),
    serve(routes.removeTwoFactor, async (call) => {
      await twoFactor.remove(ownCaller(call.caller), proofOf(parts, call.request, call.body));
      return { ok: true as const };
    }),
    serve(routes.signInNotice, async ({ caller }) => ({
      notice: await pending.unfinished(ownCaller(caller).principal.id),
    })),
    serve(routes.dismissSignInNotice, async ({ caller, body }) => {
      await pending.dismiss(ownCaller(caller).principal.id, isoTime(epochOf(body.last_at)));
      return { ok: true as const };
    }),
  ];
}
