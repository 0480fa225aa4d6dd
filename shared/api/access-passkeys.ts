import { z } from 'zod';
import { AuthSessionResponse } from './access-shapes.ts';
import { lineOf, Password, SecondFactorCode, SIGN_IN_REFUSALS } from './access-values.ts';
import { defineRoute } from './route.ts';
import { Done, Id, OptionalTime, Time } from './values.ts';

const room = 'access';
const badBody = 'sentence';
const MAX_NAME_LENGTH = 60;

/** Bytes as WebAuthn's JSON forms write them. */
const Base64Url = z
  .string()
  .regex(/^[\w-]*$/u, 'must be base64url')
  .max(6000);
const shared = {
  id: Base64Url.min(1),
  rawId: Base64Url.min(1),
  type: z.literal('public-key'),
  clientExtensionResults: z.record(z.string(), z.unknown()),
  authenticatorAttachment: z.enum(['platform', 'cross-platform']).optional(),
};

/** Assertion that the browser signed with a passkey. */
export const PasskeyAnswer = z
  .strictObject({
    ...shared,
    response: z.strictObject({
      authenticatorData: Base64Url,
      clientDataJSON: Base64Url,
      signature: Base64Url,
      userHandle: Base64Url.optional(),
    }),
  })
  .meta({ id: 'PasskeyAnswer', description: 'AuthenticationResponseJSON of WebAuthn' });
export type PasskeyAnswer = z.infer<typeof PasskeyAnswer>;

/** A passkey that the browser made. */
export const NewPasskeyAnswer = z
  .strictObject({
    ...shared,
    response: z.strictObject({
      attestationObject: Base64Url,
      clientDataJSON: Base64Url,
      authenticatorData: Base64Url.optional(),
      publicKey: Base64Url.optional(),
      publicKeyAlgorithm: z.number().int().optional(),
      transports: z
        .array(
          z
            .string()
            .regex(/^[a-z-]+$/u, 'must be a name')
            .max(20),
        )
        .max(10)
        .optional(),
    }),
  })
  .meta({ id: 'NewPasskeyAnswer', description: 'RegistrationResponseJSON of WebAuthn' });
export type NewPasskeyAnswer = z.infer<typeof NewPasskeyAnswer>;

/** Options for the browser to create or use a passkey. */
export type PasskeyOptions = z.infer<typeof RequestOptions>;
const RequestOptions = z.looseObject({ challenge: z.string() }).meta({
  id: 'PasskeyRequestOptions',
  description: 'PublicKeyCredentialRequestOptionsJSON of WebAuthn',
});
const CreationOptions = z.looseObject({ challenge: z.string() }).meta({
  id: 'PasskeyCreationOptions',
  description: 'PublicKeyCredentialCreationOptionsJSON of WebAuthn',
});

const Passkey = z
  .strictObject({
    id: Id,
    name: z.string(),
    host: z.string().describe('host name of the pages where the passkey works'),
    created_at: Time,
    last_used_at: OptionalTime,
  })
  .meta({ id: 'Passkey' });

/** Second factor of the caller who confirms a change: one of both. */
export const secondFactorFields = {
  code: SecondFactorCode.optional(),
  passkey: PasskeyAnswer.optional(),
};
/** Present password and, where there is one, the second factor. */
export const PasswordProof = z
  .strictObject({ current_password: Password, ...secondFactorFields })
  .meta({ id: 'PasswordProofIn' });
export const SECOND_FACTOR_REFUSALS = [
  'wrong_code',
  'second_factor_missing',
  'passkey_refused',
  'too_many_codes',
] as const;
const PAGE = [
  'origin_missing',
  'origin_refused',
  'insecure_sign_in',
  'passkey_needs_name',
  'passkey_needs_https',
] as const;
const OWN = ['password_session_needed', ...PAGE] as const;

/** Passkeys (WebAuthn): as second factor after the password, and to sign in alone. */
export const passkeyRoutes = {
  passkeyOptions: defineRoute({
    id: 'createPasskeyOptions',
    room,
    onlyConsole: true,
    method: 'POST',
    path: '/auth/passkey/options',
    summary: 'Start a sign-in with a passkey',
    description:
      'Returns the challenge that the browser signs, once and within five minutes. Use `second_factor` after the correct password, in the same browser.',
    access: 'public',
    badBody,
    body: z.strictObject({ second_factor: z.boolean().default(false) }),
    answer: { status: 200, schema: RequestOptions },
    refusals: [
      ...SIGN_IN_REFUSALS,
      'passkey_needs_name',
      'passkey_needs_https',
      'password_too_long_ago',
      'no_passkey_here',
    ],
  }),
  passkeyLogin: defineRoute({
    id: 'signInWithPasskey',
    room,
    onlyConsole: true,
    method: 'POST',
    path: '/auth/passkey/login',
    summary: 'Sign in with a passkey alone, which counts as two factors',
    access: 'public',
    badBody,
    body: z.strictObject({ passkey: PasskeyAnswer }),
    answer: { status: 200, schema: AuthSessionResponse },
    refusals: [...SIGN_IN_REFUSALS, 'passkey_needs_name', 'passkey_needs_https', 'wrong_passkey'],
  }),
  listPasskeys: defineRoute({
    id: 'listPasskeys',
    room,
    onlyConsole: true,
    method: 'GET',
    path: '/auth/passkeys',
    summary: 'List the caller’s passkeys, oldest first',
    access: 'signed-in',
    answer: { status: 200, schema: z.strictObject({ items: z.array(Passkey) }).meta({ id: 'PasskeyList' }) },
    refusals: ['password_session_needed'],
  }),
  passkeyProof: defineRoute({
    id: 'provePasskey',
    room,
    onlyConsole: true,
    method: 'POST',
    path: '/auth/passkeys/proof',
    summary: 'Start to confirm a change to the caller’s sign-in with a passkey',
    access: 'signed-in',
    answer: { status: 200, schema: RequestOptions },
    refusals: [...OWN, 'no_passkey_here'],
  }),
  beginPasskey: defineRoute({
    id: 'beginPasskey',
    room,
    onlyConsole: true,
    method: 'POST',
    path: '/auth/passkeys/begin',
    summary: 'Start to add a passkey; nothing changes until it is added',
    description: 'Requires the password, and the second factor if there is one.',
    access: 'signed-in',
    audited: { operation: 'passkey.add', target: 'principal', own: true },
    badBody,
    body: PasswordProof,
    answer: { status: 200, schema: CreationOptions },
    refusals: [...OWN, 'wrong_password', ...SECOND_FACTOR_REFUSALS, 'too_many_passkeys'],
  }),
  addPasskey: defineRoute({
    id: 'addPasskey',
    room,
    onlyConsole: true,
    method: 'POST',
    path: '/auth/passkeys',
    summary: 'Add the passkey that the browser created',
    description:
      'If this is the first second factor, the other sessions end and recovery codes are returned.',
    access: 'signed-in',
    audited: { operation: 'passkey.add', target: 'principal', own: true },
    badBody,
    body: z.strictObject({ name: lineOf(MAX_NAME_LENGTH), passkey: NewPasskeyAnswer }),
    answer: {
      status: 200,
      schema: z
        .strictObject({
          passkey: Passkey,
          recovery_codes: z
            .array(z.string())
            .nullable()
            .describe('returned once with the first second factor; otherwise null'),
        })
        .meta({ id: 'PasskeyAdded' }),
    },
    refusals: [...OWN, 'passkey_not_begun', 'passkey_refused', 'passkey_known', 'stale'],
  }),
  removePasskey: defineRoute({
    id: 'removePasskey',
    room,
    onlyConsole: true,
    method: 'POST',
    path: '/auth/passkeys/:id/remove',
    summary: 'Remove a passkey of the caller',
    access: 'signed-in',
    audited: { operation: 'passkey.remove', target: 'principal', own: true },
    badBody,
    params: z.strictObject({ id: Id }),
    body: PasswordProof,
    answer: { status: 200, schema: Done },
    refusals: [
      ...OWN,
      'wrong_password',
      ...SECOND_FACTOR_REFUSALS,
      'two_factor_off',
      'two_factor_required',
      'no_such_passkey',
      'stale',
    ],
  }),
} as const;
