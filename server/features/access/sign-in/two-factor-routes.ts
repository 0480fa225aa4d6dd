import { twoFactorRoutes as routes } from '../../../../shared/api/access-two-factor.ts';
import type { Caller } from '../../../http/caller.ts';
import { type ServedRoute, serve } from '../../../http/handler.ts';
import { epochOf, isoTime } from '../../../platform/clock.ts';
import { NotAllowedError } from '../errors.ts';
import { authenticatedCaller, type SignInService } from '../service.ts';

/** The own second factor: authenticator app and recovery codes, and what is told of sign-ins without it. */
export function twoFactorServedRoutes({ twoFactor, pending }: SignInService): ServedRoute[] {
  return [
    serve(routes.twoFactor, async ({ caller }) => {
      const { enabled, required, recoveryCodesLeft } = await twoFactor.state(authenticatedCaller(caller));
      return { enabled, required, recovery_codes_left: recoveryCodesLeft };
    }),
    serve(routes.beginTwoFactor, async (call) => {
      const begun = await twoFactor.begin(authenticatedCaller(call.caller), call.body.current_password);
      return { secret: begun.secret, otpauth_uri: begun.otpauthUri };
    }),
    serve(routes.confirmTwoFactor, async (call) => ({
      recovery_codes: await twoFactor.confirm(authenticatedCaller(call.caller), call.body.code),
    })),
    serve(routes.renewRecoveryCodes, async (call) => ({
      recovery_codes: await twoFactor.renewRecoveryCodes(authenticatedCaller(call.caller), call.body.code),
    })),
    serve(routes.removeTwoFactor, async (call) => {
      const { current_password: currentPassword, code } = call.body;
      await twoFactor.remove(authenticatedCaller(call.caller), { currentPassword, code });
      return { ok: true as const };
    }),
    serve(routes.signInNotice, async ({ caller }) => ({
      notice: await pending.unfinished(personIdOf(caller)),
    })),
    serve(routes.dismissSignInNotice, async ({ caller, body }) => {
      await pending.dismiss(personIdOf(caller), isoTime(epochOf(body.last_at)));
      return { ok: true as const };
    }),
  ];
}

/** Throws 403 for who did not sign in with a password. */
function personIdOf(caller: Caller): string {
  const { session, principal } = authenticatedCaller(caller);
  if (session?.sourceKind !== 'password') throw new NotAllowedError('password_session_needed');
  return principal.id;
}
