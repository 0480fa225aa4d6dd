import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import { PRINCIPAL_KINDS } from '../states/access.ts';
import {
  AccessResource,
  CurrentPolicyVersion,
  DisplayName,
  ItemVersionsIn,
  itemVersions,
  LoginName,
  NamedRef,
  newItemVersions,
  PermissionName,
  pageQuery,
  policyPageOf,
  stamps,
} from './access-values.ts';
import { defineRoute } from './route.ts';
import { Id, IdParams, OptionalTime, Version } from './values.ts';

const room = 'access';
const badBody = 'sentence';

/** A person or an integration. */
export const AccessPrincipal = z
  .strictObject({
    id: Id,
    kind: z.enum(PRINCIPAL_KINDS),
    login: z.string().nullable(),
    display_name: z.string(),
    enabled: z.boolean(),
    password_change_required: z.boolean(),
    two_factor: z.boolean().describe('true if the person also signs in with a code or a passkey'),
    quick_sign_in: z.boolean().describe('true if the person has a PIN or a card'),
    last_seen_at: OptionalTime.describe('last use of a session or key, accurate to the minute'),
    ...stamps,
  })
  .meta({ id: 'AccessPrincipal' });

/** Grant from which a permission of a principal comes. */
const GrantSource = z
  .strictObject({
    assignment_id: Id,
    role: NamedRef,
    group: NamedRef.nullable().describe('null if the role is assigned to the person directly'),
  })
  .meta({ id: 'GrantSource' });

export const EffectivePermission = z
  .strictObject({
    permission: PermissionName,
    resource: AccessResource,
    sources: z.array(GrantSource).min(1),
  })
  .meta({ id: 'EffectivePermission' });

export const AccessPrincipalDetails = z
  .strictObject({
    user: AccessPrincipal,
    groups: z.array(
      z.strictObject({
        membership_id: Id,
        membership_version: Version,
        group: z.strictObject({ id: Id, name: z.string(), enabled: z.boolean(), version: Version }),
      }),
    ),
    effective: z
      .array(EffectivePermission)
      .describe(
        'permissions that the principal has now, each with its assignment, role and group; empty while disabled',
      ),
    policy_version: CurrentPolicyVersion,
  })
  .meta({ id: 'AccessPrincipalDetails' });

const PrincipalChanged = z.strictObject({ user: AccessPrincipal, policy_version: CurrentPolicyVersion });
const PrincipalWithPassword = PrincipalChanged.extend({
  temporary_password: z.string().describe('shown once; must be changed at the first sign-in'),
});

const listQuery = z.strictObject({
  kind: z.enum(['user', 'integration', 'all']).default('user'),
  q: z.string().max(LIMITS.searchLength).optional().describe('part of the name or sign-in name'),
  enabled: z.stringbool().optional(),
  ...pageQuery,
});

/** Of changes to what a person signs in with. */
const RESET_REFUSALS = [
  'no_such_person',
  'installation_key_fixed',
  'integration_cannot_sign_in',
  'person_holds_more',
  'stale',
] as const;

/** People and integrations. */
export const peopleRoutes = {
  listUsers: defineRoute({
    id: 'listUsers',
    room,
    method: 'GET',
    path: '/access/users',
    summary: 'List people, by name',
    access: 'users:read',
    query: listQuery,
    answer: { status: 200, schema: policyPageOf(AccessPrincipal) },
  }),
  createUser: defineRoute({
    id: 'createUser',
    room,
    method: 'POST',
    path: '/access/users',
    summary: 'Create a person with a temporary password',
    access: 'users:manage',
    audited: { operation: 'user.create', target: 'principal' },
    badBody,
    body: z.strictObject({
      login: LoginName,
      display_name: DisplayName,
      enabled: z.boolean().default(true),
      ...newItemVersions,
    }),
    answer: { status: 200, schema: PrincipalWithPassword },
    refusals: ['login_taken', 'stale'],
  }),
  getUser: defineRoute({
    id: 'getUser',
    room,
    method: 'GET',
    path: '/access/users/:id',
    summary: 'Get a person or integration with groups and permissions, and the reason for each permission',
    access: 'users:read',
    params: IdParams,
    answer: { status: 200, schema: AccessPrincipalDetails },
    refusals: ['no_such_person'],
  }),
  changeUser: defineRoute({
    id: 'changeUser',
    room,
    method: 'PATCH',
    path: '/access/users/:id',
    summary: 'Rename, enable or disable a person',
    description: 'Disabling a person ends their sessions and stops their keys at once.',
    access: 'users:manage',
    audited: { operation: 'user.change', target: 'principal', param: 'id' },
    badBody,
    params: IdParams,
    body: z.strictObject({
      display_name: DisplayName.optional(),
      login: LoginName.optional(),
      enabled: z.boolean().optional(),
      ...itemVersions,
    }),
    answer: { status: 200, schema: PrincipalChanged },
    refusals: [
      'no_such_person',
      'installation_key_fixed',
      'integration_cannot_sign_in',
      'login_taken',
      'last_owner',
      'person_holds_more',
      'stale',
    ],
  }),
  resetPassword: defineRoute({
    id: 'resetPassword',
    room,
    method: 'POST',
    path: '/access/users/:id/reset-password',
    summary: 'Give a person a new temporary password and end their sessions',
    access: 'users:manage',
    audited: { operation: 'user.reset_password', target: 'principal', param: 'id' },
    badBody,
    params: IdParams,
    body: ItemVersionsIn,
    answer: { status: 200, schema: PrincipalWithPassword },
    refusals: RESET_REFUSALS,
  }),
  resetTwoFactor: defineRoute({
    id: 'resetTwoFactor',
    room,
    method: 'POST',
    path: '/access/users/:id/reset-two-factor',
    summary: 'Remove the second factor of a person who lost it and end their sessions',
    access: 'users:manage',
    audited: { operation: 'user.reset_two_factor', target: 'principal', param: 'id' },
    badBody,
    params: IdParams,
    body: ItemVersionsIn,
    answer: { status: 200, schema: PrincipalChanged },
    refusals: RESET_REFUSALS,
  }),
  resetQuickSignIn: defineRoute({
    id: 'resetQuickSignIn',
    room,
    method: 'POST',
    path: '/access/users/:id/reset-quick-sign-in',
    summary: 'Remove the PIN and the card of a person who lost them and end their sessions',
    access: 'users:manage',
    audited: { operation: 'user.reset_quick_sign_in', target: 'principal', param: 'id' },
    badBody,
    params: IdParams,
    body: ItemVersionsIn,
    answer: { status: 200, schema: PrincipalChanged },
    refusals: RESET_REFUSALS,
  }),
  listIntegrations: defineRoute({
    id: 'listIntegrations',
    room,
    method: 'GET',
    path: '/access/integrations',
    summary: 'List integrations, by name',
    access: 'users:read',
    query: listQuery.omit({ kind: true }),
    answer: { status: 200, schema: policyPageOf(AccessPrincipal) },
  }),
  createIntegration: defineRoute({
    id: 'createIntegration',
    room,
    method: 'POST',
    path: '/access/integrations',
    summary: 'Create an integration, which signs in with API keys only',
    access: 'users:manage',
    audited: { operation: 'integration.create', target: 'principal' },
    badBody,
    body: z.strictObject({
      display_name: DisplayName,
      enabled: z.boolean().default(true),
      ...newItemVersions,
    }),
    answer: { status: 200, schema: PrincipalChanged },
    refusals: ['stale'],
  }),
  changeIntegration: defineRoute({
    id: 'changeIntegration',
    room,
    method: 'PATCH',
    path: '/access/integrations/:id',
    summary: 'Rename, enable or disable an integration',
    access: 'users:manage',
    audited: { operation: 'integration.change', target: 'principal', param: 'id' },
    badBody,
    params: IdParams,
    body: z.strictObject({
      display_name: DisplayName.optional(),
      enabled: z.boolean().optional(),
      ...itemVersions,
    }),
    answer: { status: 200, schema: PrincipalChanged },
    refusals: ['no_such_person', 'installation_key_fixed', 'person_holds_more', 'last_owner', 'stale'],
  }),
} as const;
