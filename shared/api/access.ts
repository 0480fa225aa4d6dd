import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import { PasskeyAnswer } from './access-passkeys.ts';
import {
  APIKeyCreated,
  APIKeyMeta,
  APIKeyRotated,
  AuthLogoutResponse,
  AuthMeResponse,
  AuthSessionPageResponse,
  AuthSessionResponse,
  AuthSessionRevokeResponse,
  AuthSetupResponse,
  CreateAPIKeyIn,
} from './access-shapes.ts';
import { LoginName, PolicyVersion, SecondFactorCode, SIGN_IN_REFUSALS } from './access-values.ts';
import { defineRoute } from './route.ts';
import { Id, Time } from './values.ts';

export * from './access-shapes.ts';

const Secret = z.string().min(1).max(LIMITS.passwordLength.most);
const NewPassword = z
  .string()
  .min(1)
  .describe('12 to 1,024 characters, not the sign-in name, not a common password');

const KeyParams = z.strictObject({ keyId: Id });
const SessionParams = z.strictObject({ session_id: Id });
const room = 'access';

export const accessRoutes = {
  login: defineRoute({
    id: 'signIn',
    room,
    method: 'POST',
    path: '/auth/login',
    summary: 'Sign in with a sign-in name and a password',
    access: 'public',
    body: z.strictObject({
      login: z.string().min(1).max(LIMITS.loginLength),
      password: Secret,
      code: SecondFactorCode.optional(),
      passkey: PasskeyAnswer.optional(),
    }),
    answer: { status: 200, schema: AuthSessionResponse },
    refusals: [
      ...SIGN_IN_REFUSALS,
      'wrong_sign_in',
      'wrong_sign_in_code',
      'code_needed',
      'passkey_needed',
      'code_or_passkey_needed',
      'wrong_passkey',
      'passkey_needs_name',
      'passkey_needs_https',
      'temporary_password_ended',
      'too_many_codes',
    ],
  }),
  keyLogin: defineRoute({
    id: 'signInWithKey',
    room,
    method: 'POST',
    path: '/auth/key-login',
    summary: 'Sign in with an API key',
    access: 'public',
    body: z.strictObject({ api_key: Secret }),
    answer: { status: 200, schema: AuthSessionResponse },
    refusals: [
      ...SIGN_IN_REFUSALS,
      'invalid_credential',
      'key_expired',
      'key_revoked',
      'key_not_approved',
      'key_maker_left',
      'key_needs_two_factor',
      'test_key_signs_in',
    ],
  }),
  welcome: defineRoute({
    id: 'getWelcome',
    room,
    method: 'GET',
    path: '/auth/welcome',
    summary: 'Get whether anyone can sign in with a name yet',
    access: 'public',
    answer: {
      status: 200,
      schema: z
        .strictObject({ setup_needed: z.boolean().describe('true while there is no owner') })
        .meta({ id: 'AuthWelcomeResponse' }),
    },
  }),
  me: defineRoute({
    id: 'getMe',
    room,
    method: 'GET',
    path: '/auth/me',
    summary: 'Get the caller and the caller’s permissions',
    access: 'signed-in',
    answer: { status: 200, schema: AuthMeResponse },
  }),
  changePassword: defineRoute({
    id: 'changePassword',
    room,
    method: 'POST',
    path: '/auth/password',
    summary: 'Change the caller’s password and end the other sessions',
    access: 'signed-in',
    audited: { operation: 'password.change', target: 'principal', own: true },
    body: z.strictObject({ current_password: Secret, password: NewPassword }),
    answer: { status: 200, schema: AuthSessionResponse },
    refusals: [
      'password_length',
      'password_is_login',
      'password_too_common',
      'password_is_name',
      'password_is_season',
      'password_unchanged',
      'password_session_needed',
      'wrong_password',
      'stale',
    ],
  }),
  logout: defineRoute({
    id: 'signOut',
    room,
    method: 'POST',
    path: '/auth/logout',
    summary: 'End the caller’s session',
    access: 'signed-in',
    audited: { operation: 'session.end', target: 'session' },
    answer: { status: 200, schema: AuthLogoutResponse },
    refusals: ['session_needed'],
  }),
  sessions: defineRoute({
    id: 'listSessions',
    room,
    method: 'GET',
    path: '/auth/sessions',
    summary: 'List sessions, newest first',
    description:
      'Returns the caller’s own sessions. Sessions of others require sessions:read. Ended sessions stay listed for 30 days.',
    access: 'signed-in',
    query: z.strictObject({
      limit: z.coerce.number().int().min(1).max(100).default(50),
      cursor_time: Time.optional(),
      cursor_id: Id.optional(),
      principal_id: Id.optional(),
    }),
    answer: { status: 200, schema: AuthSessionPageResponse },
    refusals: ['half_cursor', 'not_allowed'],
  }),
  revokeSession: defineRoute({
    id: 'revokeSession',
    room,
    method: 'POST',
    path: '/auth/sessions/:session_id/revoke',
    summary: 'End a session',
    description: 'Works for the caller’s own sessions. Sessions of others require sessions:revoke.',
    access: 'signed-in',
    audited: { operation: 'session.revoke', target: 'session', param: 'session_id' },
    params: SessionParams,
    body: z.strictObject({ expected_policy_version: PolicyVersion }),
    answer: { status: 200, schema: AuthSessionRevokeResponse },
    refusals: ['no_such_session', 'not_allowed', 'person_holds_more', 'stale'],
  }),
  enrollOwner: defineRoute({
    id: 'enrollOwner',
    room,
    method: 'POST',
    path: '/auth/owner/enroll',
    summary: 'Create the first owner with the installation key',
    description:
      'A repeated request with the same sign-in name returns a new temporary password, as long as the owner has not chosen one.',
    access: 'signed-in',
    audited: { operation: 'owner.enroll', target: 'principal' },
    body: z.strictObject({
      login: LoginName,
      display_name: z.string().min(1).max(LIMITS.displayNameLength),
      expected_policy_version: PolicyVersion,
    }),
    answer: { status: 200, schema: AuthSetupResponse },
    refusals: ['not_allowed', 'owner_exists', 'login_taken', 'stale'],
  }),
  createKey: defineRoute({
    id: 'createKey',
    room,
    method: 'POST',
    path: '/admin/api-keys',
    summary: 'Create an API key',
    description: 'Creates a separate integration for the key, with the given scopes on the installation.',
    access: 'keys:manage',
    audited: { operation: 'key.create', target: 'api_key' },
    body: CreateAPIKeyIn,
    bodyOptional: true,
    answer: { status: 200, schema: APIKeyCreated },
    refusals: ['test_key_permission', 'expiry_past', 'key_exceeds_maker'],
  }),
  listKeys: defineRoute({
    id: 'listKeys',
    room,
    method: 'GET',
    path: '/admin/api-keys',
    summary: 'List API keys, newest first, without secrets',
    access: 'keys:manage',
    answer: { status: 200, schema: z.array(APIKeyMeta) },
  }),
  revokeKey: defineRoute({
    id: 'revokeKey',
    room,
    method: 'DELETE',
    path: '/admin/api-keys/:keyId',
    summary: 'Permanently revoke an API key',
    access: 'keys:manage',
    audited: { operation: 'key.revoke', target: 'api_key', param: 'keyId' },
    params: KeyParams,
    answer: { status: 200, schema: z.strictObject({ status: z.literal('ok') }) },
    refusals: ['no_such_key', 'key_holds_more'],
  }),
  rotateKey: defineRoute({
    id: 'rotateKey',
    room,
    method: 'POST',
    path: '/admin/api-keys/:keyId/rotate',
    summary: 'Give an API key a new secret; the old one stops working at once',
    access: 'keys:manage',
    audited: { operation: 'key.rotate', target: 'api_key', param: 'keyId' },
    params: KeyParams,
    answer: { status: 200, schema: APIKeyRotated },
    refusals: ['no_such_key', 'key_not_active', 'key_owner_disabled', 'key_exceeds_maker'],
  }),
} as const;
