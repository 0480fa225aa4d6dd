import { twoFactorRoutes as routes } from '../../../../shared/api/access-two-factor.ts';
import { type ServedRoute, serve } from '../../../http/handler.ts';
import { authenticatedCaller } from '../service.ts';
import type { TwoFactor } from './two-factor.ts';

/** The own second factor: authenticator app and recovery codes. */
export function twoFactorServedRoutes(twoFactor: TwoFactor): ServedRoute[] {
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
  ];
}
