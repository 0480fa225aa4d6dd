import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import { ALL_PERMISSIONS } from '../permissions.ts';
import { PRINCIPAL_KINDS, SESSION_SOURCES } from '../states.ts';
import { defineRoute } from './route.ts';
import { Id, OptionalTime, Time, Version } from './values.ts';

/** Fixed sentences of sign-in, sessions and keys. */
export const ACCESS_MESSAGES = {
  badSignIn: 'The name or the password is not right.',
  expiredKey: 'That API key has expired.',
  revokedKey: 'That API key was revoked.',
  reviewKey: 'That API key comes from an earlier release and waits until an administrator approves it.',
  endedSession: 'That session has ended; sign in again.',
  originMissing: 'Sign-in works only from the console: the request names no origin.',
  originRefused: 'Requests from that origin are not allowed.',
  insecure: 'Sign-in needs HTTPS or the same computer.',
  csrf: 'The CSRF token is missing or not right; reload the page.',
  noSession: 'This needs a browser session.',
  noPasswordSession: 'This needs a session that began with a password.',
  wrongPassword: 'The current password is not right.',
  passwordLength: 'A password has 12 to 1,024 characters.',
  passwordIsLogin: 'The password must not be the login name.',
  passwordCommon: 'That password is too easy to guess; choose another.',
  passwordSame: 'The new password must differ from the current one.',
  noSuchSession: 'There is no such session.',
  noSuchKey: 'There is no such API key.',
  keyNotActive: 'Only an active API key can be rotated.',
  expiryPast: 'The end of the API key must lie in the future.',
  grantsTooMuch: 'Nobody can put on an API key what they may not do themselves.',
  ownerExists: 'This installation has an owner already.',
  loginTaken: 'That login name is taken.',
  lastOwner: 'One enabled owner must remain.',
  cursorHalf: 'Send cursor_time and cursor_id together.',
} as const;

/** What a key of `/admin/api-keys` may do when `scopes` is left out or null. */
export const DEFAULT_KEY_SCOPES = ['fax:send', 'fax:read'] as const;

export const LOGO_PATH = '/admin/ui/logo.svg';

const PermissionName = z.enum(ALL_PERMISSIONS as [(typeof ALL_PERMISSIONS)[number]]);
const SessionSourceKind = z.enum(SESSION_SOURCES);

export const AuthPrincipalResponse = z
  .strictObject({ id: Id, kind: z.enum(PRINCIPAL_KINDS), display_name: z.string(), version: Version })
  .meta({ id: 'AuthPrincipalResponse' });

export const AuthCurrentSessionResponse = z
  .strictObject({ id: Id, source_kind: SessionSourceKind, expires_at: Time })
  .meta({ id: 'AuthCurrentSessionResponse' });

export const AuthMeResponse = z
  .strictObject({
    principal: AuthPrincipalResponse,
    source: z.enum(['key', 'session']),
    password_change_required: z.boolean().describe('while true, permissions are empty'),
    policy_version: z.number().int(),
    permissions: z.array(PermissionName).describe('on the whole installation'),
    session: AuthCurrentSessionResponse.nullable(),
    can_enroll_owner: z.boolean(),
    is_owner: z.boolean(),
    grantable: z.strictObject({ installation: z.array(PermissionName) }),
    csrf_token: z.string().nullable().optional().describe('only for a cookie session; send as X-CSRF-Token'),
  })
  .meta({ id: 'AuthMeResponse' });

export const AuthSessionResponse = z
  .strictObject({ ok: z.literal(true), password_change_required: z.boolean() })
  .meta({ id: 'AuthSessionResponse' });

export const AuthLogoutResponse = z.strictObject({ ok: z.literal(true) }).meta({ id: 'AuthLogoutResponse' });

export const AuthSessionSummaryResponse = z
  .strictObject({
    session_id: Id,
    source_kind: SessionSourceKind,
    created_at: Time,
    last_used_at: Time,
    expires_at: Time,
    revoked_at: OptionalTime,
    current: z.boolean(),
  })
  .meta({ id: 'AuthSessionSummaryResponse' });

export const AuthSessionPageResponse = z
  .strictObject({
    items: z.array(AuthSessionSummaryResponse),
    next_cursor: z.strictObject({ created_at: Time, session_id: Id }).nullable(),
  })
  .meta({ id: 'AuthSessionPageResponse' });

export const AuthSessionRevokeResponse = z
  .strictObject({ session_id: Id, changed: z.boolean(), policy_version: z.number().int() })
  .meta({ id: 'AuthSessionRevokeResponse' });

export const AuthSetupResponse = z
  .strictObject({ first_owner: z.boolean() })
  .meta({ id: 'AuthSetupResponse' });

export const AccessUser = z
  .strictObject({
    id: Id,
    kind: z.enum(PRINCIPAL_KINDS),
    login: z.string().nullable(),
    display_name: z.string(),
    enabled: z.boolean(),
    password_change_required: z.boolean(),
    version: Version,
  })
  .meta({ id: 'AccessUser' });

export const OwnerEnrolled = AuthSetupResponse.extend({
  temporary_password: z.string().describe('shown once; must be changed at the first sign-in'),
  user: AccessUser,
  policy_version: z.number().int(),
}).meta({ id: 'OwnerEnrollResponse' });

export const ConsoleContextResponse = z
  .strictObject({
    policy_version: z.number().int(),
    active_revision_id: z.string(),
    generation: z.number().int(),
    permissions: z.array(PermissionName),
    navigation: z.strictObject({
      jobs: z.boolean(),
      inbox: z.boolean(),
      send: z.boolean(),
      work: z.boolean().default(false),
    }),
    send: z
      .strictObject({
        fax_disabled: z.boolean(),
        max_file_size_mb: z.number().int(),
        default_country: z.string(),
        number_example: z.string(),
      })
      .nullable()
      .describe('null for callers without fax:send'),
    inbound_enabled: z.boolean().nullable().describe('null for callers without inbound:list'),
    branding: z.strictObject({ docs_base: z.string(), logo_path: z.literal(LOGO_PATH) }),
    provider_view: z
      .strictObject({
        plugins_enabled: z.boolean(),
        install_enabled: z.boolean(),
        active_outbound: z.string(),
        active_inbound: z.string(),
        extra_routes: z.array(z.string()).default([]),
        trunk_preset: z.string().default(''),
      })
      .nullable()
      .describe('null for callers without providers:read'),
    provider_names: z.record(z.string(), z.string()).default({}).optional(),
  })
  .meta({ id: 'ConsoleContextResponse' });

const KeyText = z.string().max(LIMITS.noteLength).nullable().optional();

export const CreateAPIKeyIn = z
  .strictObject({
    name: z.string().max(LIMITS.displayNameLength).nullable().optional(),
    note: KeyText,
    owner: KeyText.describe('whom to ask about the key; a label, not an account'),
    scopes: z
      .array(PermissionName)
      .max(ALL_PERMISSIONS.length)
      .nullable()
      .optional()
      .describe(
        `Permissions on the whole installation. Left out or null: ${DEFAULT_KEY_SCOPES.join(', ')}. ` +
          'An empty list makes a key that may do nothing. Only what the maker of the key may do can be named.',
      ),
    expires_at: z.iso.datetime({ offset: true }).nullable().optional(),
  })
  .meta({ id: 'CreateAPIKeyIn' });

export const APIKeyMeta = z
  .strictObject({
    key_id: Id,
    name: z.string().nullable(),
    note: z.string().nullable(),
    owner: z.string().nullable(),
    scopes: z
      .array(z.string())
      .default([])
      .describe('`*` alone: from an earlier release, unusable until approved'),
    created_at: OptionalTime,
    expires_at: OptionalTime,
    last_used_at: OptionalTime.describe('exact to a minute'),
    revoked_at: OptionalTime,
  })
  .meta({ id: 'APIKeyMeta' });

const Token = z.string().describe('`key_live_<keyId>_<secret>`, shown once');
export const APIKeyCreated = APIKeyMeta.extend({ token: Token }).meta({ id: 'CreateAPIKeyOut' });
export const APIKeyRotated = z.strictObject({ key_id: Id, token: Token }).meta({ id: 'RotateAPIKeyOut' });

const PolicyVersion = z.number().int().min(1).describe('policy_version of the last read');
const Secret = z.string().min(1).max(LIMITS.passwordLength.most);
const NewPassword = z
  .string()
  .min(1)
  .describe('12 to 1,024 characters, not the login name, not a common password');
export const LoginName = z
  .string()
  .min(1)
  .max(LIMITS.loginLength)
  .regex(/^[\w.@+-]+$/, 'letters, digits and . _ @ + - only');

const KeyParams = z.strictObject({ keyId: Id });
const SessionParams = z.strictObject({ session_id: Id });
const room = 'access';
const signInRefusals = {
  403: 'untrusted or missing origin, or plain HTTP',
  429: 'too many attempts',
} as const;

export const accessRoutes = {
  login: defineRoute({
    id: 'login',
    room,
    method: 'POST',
    path: '/auth/login',
    summary: 'Sign in with a login name and a password',
    access: 'public',
    body: z.strictObject({ login: z.string().min(1).max(LIMITS.loginLength), password: Secret }),
    answer: { status: 200, schema: AuthSessionResponse },
    refusals: { 401: ACCESS_MESSAGES.badSignIn, ...signInRefusals },
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
    refusals: { 401: 'missing, invalid, revoked or expired key', ...signInRefusals },
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
  context: defineRoute({
    id: 'context',
    room,
    method: 'GET',
    path: '/auth/context',
    summary: 'What the console needs to draw itself for this caller',
    access: 'signed-in',
    answer: { status: 200, schema: ConsoleContextResponse },
  }),
  changePassword: defineRoute({
    id: 'changePassword',
    room,
    method: 'POST',
    path: '/auth/password',
    summary: 'Change the own password and end the other sessions',
    access: 'signed-in',
    body: z.strictObject({ current_password: Secret, password: NewPassword }),
    answer: { status: 200, schema: AuthSessionResponse },
    refusals: {
      400: 'the new password breaks a rule',
      403: 'not a password session, or a wrong current password',
    },
  }),
  logout: defineRoute({
    id: 'logout',
    room,
    method: 'POST',
    path: '/auth/logout',
    summary: 'End the own session',
    access: 'signed-in',
    answer: { status: 200, schema: AuthLogoutResponse },
    refusals: { 403: ACCESS_MESSAGES.noSession },
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
    refusals: { 400: ACCESS_MESSAGES.cursorHalf },
  }),
  revokeSession: defineRoute({
    id: 'revokeSession',
    room,
    method: 'POST',
    path: '/auth/sessions/:session_id/revoke',
    summary: 'End a session',
    description: 'Own sessions; those of others need sessions:revoke.',
    access: 'signed-in',
    params: SessionParams,
    body: z.strictObject({ expected_policy_version: PolicyVersion }),
    answer: { status: 200, schema: AuthSessionRevokeResponse },
    refusals: { 404: ACCESS_MESSAGES.noSuchSession, 409: 'stale policy version' },
  }),
  enrollOwner: defineRoute({
    id: 'enrollOwner',
    room,
    method: 'POST',
    path: '/auth/owner/enroll',
    summary: 'Create the first owner with the installation key',
    access: 'signed-in',
    body: z.strictObject({
      login: LoginName,
      display_name: z.string().min(1).max(LIMITS.displayNameLength),
      expected_policy_version: PolicyVersion,
    }),
    answer: { status: 200, schema: OwnerEnrolled },
    refusals: {
      403: 'not the installation key',
      409: 'an owner exists, the login is taken, or a stale policy version',
    },
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
    body: CreateAPIKeyIn,
    bodyOptional: true,
    answer: { status: 200, schema: APIKeyCreated },
    refusals: { 400: ACCESS_MESSAGES.expiryPast, 403: ACCESS_MESSAGES.grantsTooMuch },
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
    params: KeyParams,
    answer: { status: 200, schema: z.strictObject({ status: z.literal('ok') }) },
    refusals: { 404: ACCESS_MESSAGES.noSuchKey },
  }),
  rotateKey: defineRoute({
    id: 'rotateKey',
    room,
    method: 'POST',
    path: '/admin/api-keys/:keyId/rotate',
    summary: 'Give an API key a new secret; the old one is invalid at once',
    access: 'keys:manage',
    params: KeyParams,
    answer: { status: 200, schema: APIKeyRotated },
    refusals: {
      403: ACCESS_MESSAGES.grantsTooMuch,
      404: ACCESS_MESSAGES.noSuchKey,
      409: ACCESS_MESSAGES.keyNotActive,
    },
  }),
} as const;
