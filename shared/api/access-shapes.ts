import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import { ALL_PERMISSIONS } from '../permissions.ts';
import { PRINCIPAL_KINDS, SESSION_SOURCES } from '../states/access.ts';
import { VISIBLE_LINE, VISIBLE_RULE, VISIBLE_TEXT } from '../visible-text.ts';
import { CurrentPolicyVersion, PermissionName } from './access-values.ts';
import { Id, OptionalTime, Time, Version } from './values.ts';

const SessionSourceKind = z.enum(SESSION_SOURCES);

const AuthPrincipalResponse = z
  .strictObject({ id: Id, kind: z.enum(PRINCIPAL_KINDS), display_name: z.string(), version: Version })
  .meta({ id: 'AuthPrincipalResponse' });

const AuthCurrentSessionResponse = z
  .strictObject({ id: Id, source_kind: SessionSourceKind, expires_at: Time })
  .meta({ id: 'AuthCurrentSessionResponse' });

export const AuthMeResponse = z
  .strictObject({
    principal: AuthPrincipalResponse,
    login: z.string().nullable().optional().describe('sign-in name; only for a session of a person'),
    source: z.enum(['key', 'session']),
    password_change_required: z
      .boolean()
      .describe('while true, permissions are empty until the password is changed'),
    two_factor_setup_required: z
      .boolean()
      .describe('true if a role requires a second factor that is not set up; permissions are then empty'),
    policy_version: CurrentPolicyVersion,
    permissions: z.array(PermissionName).describe('permissions on the whole installation'),
    test: z
      .literal(true)
      .optional()
      .describe('true for a test key: what it sends is handed to nobody, and it sees only test faxes'),
    session: AuthCurrentSessionResponse.nullable(),
    can_enroll_owner: z.boolean(),
    is_owner: z.boolean(),
    grantable: z.strictObject({ installation: z.array(PermissionName) }),
    csrf_token: z.string().nullable().optional().describe('only for a cookie session; send as X-CSRF-Token'),
    address_token: z
      .string()
      .nullable()
      .optional()
      .describe(
        'only for a cookie session that began with X-Page-Token; send it as `page_token` in addresses of files and streams that cannot send headers',
      ),
  })
  .meta({ id: 'AuthMeResponse' });

export const AuthSessionResponse = z
  .strictObject({ ok: z.literal(true), password_change_required: z.boolean() })
  .meta({ id: 'AuthSessionResponse' });

export const AuthLogoutResponse = z.strictObject({ ok: z.literal(true) }).meta({ id: 'AuthLogoutResponse' });

const AuthSessionSummaryResponse = z
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
  .strictObject({ session_id: Id, changed: z.boolean(), policy_version: CurrentPolicyVersion })
  .meta({ id: 'AuthSessionRevokeResponse' });

const AccessUser = z
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

export const AuthSetupResponse = z
  .strictObject({
    first_owner: z.boolean(),
    temporary_password: z.string().describe('shown once; must be changed at the first sign-in'),
    user: AccessUser,
    policy_version: CurrentPolicyVersion,
  })
  .meta({ id: 'AuthSetupResponse' });

const KeyText = z.string().max(LIMITS.noteLength).regex(VISIBLE_TEXT, VISIBLE_RULE).nullable().optional();

export const CreateAPIKeyIn = z
  .strictObject({
    name: z.string().max(LIMITS.displayNameLength).regex(VISIBLE_LINE, VISIBLE_RULE).nullable().optional(),
    note: KeyText,
    owner: KeyText.describe('contact for questions about the key; a label, not an account'),
    scopes: z
      .array(PermissionName)
      .max(ALL_PERMISSIONS.length)
      .nullable()
      .optional()
      .describe(
        'Permissions on the whole installation. If left out, null or empty, the key has no permissions. ' +
          'Only permissions of the caller can be given.',
      ),
    expires_at: z.iso.datetime({ offset: true }).nullable().optional(),
    test: z
      .boolean()
      .optional()
      .describe('true creates a test key, whose faxes are handed to nobody; this cannot be changed later'),
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
      .describe('`*` alone means a key from an earlier release, which does not work until it is approved'),
    test: z.boolean().describe('true for a test key: its faxes are tests, which are handed to nobody'),
    created_at: OptionalTime,
    expires_at: OptionalTime,
    last_used_at: OptionalTime.describe('accurate to the minute'),
    revoked_at: OptionalTime,
  })
  .meta({ id: 'APIKeyMeta' });

const Token = z
  .string()
  .describe('`key_live_<keyId>_<secret>`, shown once; it begins with `key_test_` for a test key');
export const APIKeyCreated = APIKeyMeta.extend({ token: Token }).meta({ id: 'CreateAPIKeyOut' });
export const APIKeyRotated = z.strictObject({ key_id: Id, token: Token }).meta({ id: 'RotateAPIKeyOut' });
