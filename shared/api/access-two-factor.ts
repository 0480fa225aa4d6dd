import { z } from 'zod';
import { PasswordProof, SECOND_FACTOR_REFUSALS, secondFactorFields } from './access-passkeys.ts';
import { SecondFactorCode } from './access-values.ts';
import { defineRoute } from './route.ts';
import { Done, Time } from './values.ts';

const room = 'access';
const badBody = 'sentence';
const RecoveryCodes = z.strictObject({
  recovery_codes: z.array(z.string()).describe('returned once; each works once in place of a code'),
});

/** Notice to a person that their right password was entered without the right code. */
const SignInNotice = z
  .strictObject({
    count: z.number().int().min(1),
    last_at: Time,
    last_address: z.string(),
  })
  .meta({ id: 'SignInNotice' });

/** The second factor of the person who is signed in with a password (TOTP, RFC 6238). */
export const twoFactorRoutes = {
  twoFactor: defineRoute({
    id: 'getTwoFactor',
    room,
    onlyConsole: true,
    method: 'GET',
    path: '/auth/two-factor',
    summary: 'Get the state of the caller’s second factor',
    access: 'signed-in',
    answer: {
      status: 200,
      schema: z
        .strictObject({
          enabled: z.boolean().describe('true with codes from an authenticator app'),
          passkeys: z.number().int(),
          required: z.boolean().describe('true if a role of this person requires it'),
          recovery_codes_left: z.number().int(),
        })
        .meta({ id: 'TwoFactorState' }),
    },
    refusals: ['password_session_needed'],
  }),
  beginTwoFactor: defineRoute({
    id: 'beginTwoFactor',
    room,
    onlyConsole: true,
    method: 'POST',
    path: '/auth/two-factor/begin',
    summary: 'Get a secret for the authenticator app; nothing changes until it is confirmed',
    access: 'signed-in',
    audited: { operation: 'two_factor.on', target: 'principal', own: true },
    badBody,
    body: PasswordProof,
    answer: {
      status: 200,
      schema: z.strictObject({ secret: z.string().describe('base32'), otpauth_uri: z.string() }),
    },
    refusals: ['password_session_needed', 'wrong_password', ...SECOND_FACTOR_REFUSALS, 'two_factor_on'],
  }),
  confirmTwoFactor: defineRoute({
    id: 'confirmTwoFactor',
    room,
    onlyConsole: true,
    method: 'POST',
    path: '/auth/two-factor/confirm',
    summary: 'Turn on the second factor with a code from the app',
    access: 'signed-in',
    audited: { operation: 'two_factor.on', target: 'principal', own: true },
    badBody,
    body: z.strictObject({ code: SecondFactorCode }),
    answer: { status: 200, schema: RecoveryCodes },
    refusals: ['password_session_needed', 'wrong_code', 'too_many_codes', 'two_factor_not_begun', 'stale'],
  }),
  renewRecoveryCodes: defineRoute({
    id: 'renewRecoveryCodes',
    room,
    onlyConsole: true,
    method: 'POST',
    path: '/auth/two-factor/recovery-codes',
    summary: 'Create new recovery codes; the old ones stop working',
    access: 'signed-in',
    audited: { operation: 'two_factor.new_codes', target: 'principal', own: true },
    badBody,
    body: z.strictObject(secondFactorFields),
    answer: { status: 200, schema: RecoveryCodes },
    refusals: ['password_session_needed', ...SECOND_FACTOR_REFUSALS, 'two_factor_off', 'stale'],
  }),
  removeTwoFactor: defineRoute({
    id: 'removeTwoFactor',
    room,
    onlyConsole: true,
    method: 'POST',
    path: '/auth/two-factor/remove',
    summary: 'Turn off the codes of the authenticator app',
    access: 'signed-in',
    audited: { operation: 'two_factor.off', target: 'principal', own: true },
    badBody,
    body: PasswordProof,
    answer: { status: 200, schema: Done },
    refusals: [
      'password_session_needed',
      'wrong_password',
      ...SECOND_FACTOR_REFUSALS,
      'two_factor_off',
      'two_factor_required',
      'stale',
    ],
  }),
  signInNotice: defineRoute({
    id: 'getSignInNotice',
    room,
    onlyConsole: true,
    method: 'GET',
    path: '/auth/sign-in-notice',
    summary: 'Get the number of sign-ins that had the caller’s password but not the second factor',
    description:
      'Includes sign-ins that may still be finished. `notice` is null if there were none since it was last dismissed.',
    access: 'signed-in',
    answer: {
      status: 200,
      schema: z.strictObject({ notice: SignInNotice.nullable() }).meta({ id: 'SignInNoticeState' }),
    },
    refusals: ['password_session_needed'],
  }),
  dismissSignInNotice: defineRoute({
    id: 'dismissSignInNotice',
    room,
    onlyConsole: true,
    method: 'POST',
    path: '/auth/sign-in-notice/dismiss',
    summary: 'Dismiss that notice; later sign-ins create a new one',
    access: 'signed-in',
    badBody,
    body: z.strictObject({ last_at: Time.describe('last_at of the notice being dismissed') }),
    answer: { status: 200, schema: Done },
    refusals: ['password_session_needed'],
  }),
} as const;
