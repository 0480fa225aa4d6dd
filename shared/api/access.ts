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
    id: 'login',
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
    id: 'keyLogin',
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
    ],
  }),
  welcome: defineRoute({
    id: 'welcome',
    room,
    method: 'GET',
    path: '/auth/welcome',
    summary: 'Whether anybody can sign in with a name here yet',
    access: 'public',
    answer: {
      status: 200,
      schema: z
        .strictObject({ setup_needed: z.boolean().describe('there is no owner yet') })
        .meta({ id: 'AuthWelcomeResponse' }),
    },
  }),
  me: defineRoute({
    id: 'me',
    room,
    method: 'GET',
    path: '/auth/me',
    summary: 'Who is calling and what they may do',
    access: 'signed-in',
    answer: { status: 200, schema: AuthMeResponse },
  }),
  changePassword: defineRoute({
    id: 'changePassword',
    room,
    method: 'POST',
    path: '/auth/password',
    summary: 'Change the own password and end the other sessions',
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
    id: 'logout',
    room,
    method: 'POST',
    path: '/auth/logout',
    summary: 'End the own session',
    access: 'signed-in',
    audited: { operation: 'session.end', target: 'session' },
    answer: { status: 200, schema: AuthLogoutResponse },
    refusals: ['session_needed'],
  }),
  sessions: defineRoute({
    id: 'sessions',
    room,
    method: 'GET',
    path: '/auth/sessions',
    summary: 'List sessions, newest first',
    description: 'Own sessions; those of others need sessions:read. Ended sessions stay listed for 30 days.',
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
    description: 'Own sessions; those of others need sessions:revoke.',
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
      'Asked again with the same sign-in name it gives a new temporary password, as long as the owner never chose one.',
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
    description:
      'The key belongs to an integration of its own that holds the named scopes on the installation.',
    access: 'keys:manage',
    audited: { operation: 'key.create', target: 'api_key' },
    body: CreateAPIKeyIn,
    bodyOptional: true,
    answer: { status: 200, schema: APIKeyCreated },
    refusals: ['expiry_past', 'key_exceeds_maker'],
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
    summary: 'Revoke an API key for good',
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
    summary: 'Give an API key a new secret; the old one is invalid at once',
    access: 'keys:manage',
    audited: { operation: 'key.rotate', target: 'api_key', param: 'keyId' },
    params: KeyParams,
    answer: { status: 200, schema: APIKeyRotated },
    refusals: ['no_such_key', 'key_not_active', 'key_owner_disabled', 'key_exceeds_maker'],
  }),
} as const;
