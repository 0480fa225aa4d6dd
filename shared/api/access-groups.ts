import { z } from 'zod';
import { ALL_PERMISSIONS } from '../permissions.ts';
import {
  CurrentPolicyVersion,
  Description,
  DisplayName,
  itemVersions,
  newItemVersions,
  PermissionName,
  PolicyVersion,
  PrincipalName,
  pageQuery,
  policyPageOf,
  stamps,
} from './access-values.ts';
import { defineRoute } from './route.ts';
import { Id, IdParams, Time, Version } from './values.ts';

const room = 'access';
const badBody = 'sentence';

export const AccessGroup = z
  .strictObject({
    id: Id,
    name: z.string(),
    description: z.string(),
    enabled: z.boolean().describe('a disabled group gives its members nothing'),
    member_count: z.number().int(),
    ...stamps,
  })
  .meta({ id: 'AccessGroup' });

const GroupMember = z
  .strictObject({ id: Id, version: Version, principal: PrincipalName, created_at: Time })
  .meta({ id: 'GroupMember' });

const GroupChanged = z.strictObject({ group: AccessGroup, policy_version: CurrentPolicyVersion });

export const groupRoutes = {
  listGroups: defineRoute({
    id: 'listGroups',
    room,
    method: 'GET',
    path: '/access/groups',
    summary: 'List groups, by name',
    access: 'groups:read',
    query: z.strictObject(pageQuery),
    answer: { status: 200, schema: policyPageOf(AccessGroup) },
  }),
  createGroup: defineRoute({
    id: 'createGroup',
    room,
    method: 'POST',
    path: '/access/groups',
    summary: 'Create a group',
    access: 'groups:manage',
    audited: { operation: 'group.create', target: 'group' },
    badBody,
    body: z.strictObject({
      name: DisplayName,
      description: Description.default(''),
      enabled: z.boolean().default(true),
      ...newItemVersions,
    }),
    answer: { status: 200, schema: GroupChanged },
    refusals: ['name_taken', 'stale'],
  }),
  getGroup: defineRoute({
    id: 'getGroup',
    room,
    method: 'GET',
    path: '/access/groups/:id',
    summary: 'Get a group with its members, by name',
    access: 'groups:read',
    params: IdParams,
    answer: {
      status: 200,
      schema: z.strictObject({
        group: AccessGroup,
        members: z.array(GroupMember),
        policy_version: CurrentPolicyVersion,
      }),
    },
    refusals: ['no_such_group'],
  }),
  changeGroup: defineRoute({
    id: 'changeGroup',
    room,
    method: 'PATCH',
    path: '/access/groups/:id',
    summary: 'Rename, describe, enable or disable a group',
    access: 'groups:manage',
    audited: { operation: 'group.change', target: 'group', param: 'id' },
    badBody,
    params: IdParams,
    body: z.strictObject({
      name: DisplayName.optional(),
      description: Description.optional(),
      enabled: z.boolean().optional(),
      ...itemVersions,
    }),
    answer: { status: 200, schema: GroupChanged },
    refusals: ['no_such_group', 'name_taken', 'group_gives_more', 'last_owner', 'stale'],
  }),
  addMember: defineRoute({
    id: 'addMember',
    room,
    method: 'POST',
    path: '/access/groups/:id/members',
    summary: 'Add a person or integration to a group',
    description: 'New members get all permissions of the group. The caller must have all of them.',
    access: 'groups:manage',
    audited: { operation: 'group.add_member', target: 'group', param: 'id' },
    badBody,
    params: IdParams,
    body: z.strictObject({
      principal_id: Id,
      principal_version: Version,
      group_version: Version,
      expected_policy_version: PolicyVersion,
    }),
    answer: { status: 200, schema: GroupChanged.extend({ member: GroupMember }) },
    refusals: [
      'no_such_group',
      'no_such_person',
      'installation_key_fixed',
      'already_member',
      'group_gives_more',
      'stale',
    ],
  }),
  removeMember: defineRoute({
    id: 'removeMember',
    room,
    method: 'POST',
    path: '/access/groups/:id/members/:membership_id/remove',
    summary: 'Remove a person or integration from a group',
    access: 'groups:manage',
    audited: { operation: 'group.remove_member', target: 'group', param: 'id' },
    badBody,
    params: z.strictObject({ id: Id, membership_id: Id }),
    body: z.strictObject({
      membership_version: Version,
      group_version: Version,
      expected_policy_version: PolicyVersion,
    }),
    answer: { status: 200, schema: GroupChanged },
    refusals: ['no_such_group', 'no_such_member', 'group_gives_more', 'last_owner', 'stale'],
  }),
} as const;

export const AccessRole = z
  .strictObject({
    id: Id,
    name: z.string(),
    description: z.string(),
    permissions: z.array(PermissionName),
    built_in: z.boolean().describe('true for roles that cannot be changed, except for requires_two_factor'),
    enabled: z.boolean(),
    requires_two_factor: z
      .boolean()
      .describe('people with this role can do nothing until they set up a second factor'),
    ...stamps,
  })
  .meta({ id: 'AccessRole' });

const RolePermissions = z.array(PermissionName).max(ALL_PERMISSIONS.length);
const RoleChanged = z.strictObject({ role: AccessRole, policy_version: CurrentPolicyVersion });

export const roleRoutes = {
  listRoles: defineRoute({
    id: 'listRoles',
    room,
    method: 'GET',
    path: '/access/roles',
    summary: 'List roles, the built-in ones first',
    access: 'roles:read',
    query: z.strictObject(pageQuery),
    answer: { status: 200, schema: policyPageOf(AccessRole) },
  }),
  createRole: defineRoute({
    id: 'createRole',
    room,
    method: 'POST',
    path: '/access/roles',
    summary: 'Create a role',
    access: 'roles:manage',
    audited: { operation: 'role.create', target: 'role' },
    badBody,
    body: z.strictObject({
      name: DisplayName,
      description: Description.default(''),
      permissions: RolePermissions,
      enabled: z.boolean().default(true),
      requires_two_factor: z.boolean().default(false),
      ...newItemVersions,
    }),
    answer: { status: 200, schema: RoleChanged },
    refusals: ['name_taken', 'grant_exceeds_giver', 'stale'],
  }),
  getRole: defineRoute({
    id: 'getRole',
    room,
    method: 'GET',
    path: '/access/roles/:id',
    summary: 'Get a role',
    access: 'roles:read',
    params: IdParams,
    answer: { status: 200, schema: RoleChanged },
    refusals: ['no_such_role'],
  }),
  changeRole: defineRoute({
    id: 'changeRole',
    room,
    method: 'PATCH',
    path: '/access/roles/:id',
    summary: 'Change a role',
    description: 'You can add only permissions that you have yourself wherever the role is assigned.',
    access: 'roles:manage',
    audited: { operation: 'role.change', target: 'role', param: 'id' },
    badBody,
    params: IdParams,
    body: z.strictObject({
      name: DisplayName.optional(),
      description: Description.optional(),
      permissions: RolePermissions.optional(),
      enabled: z.boolean().optional(),
      requires_two_factor: z.boolean().optional(),
      ...itemVersions,
    }),
    answer: { status: 200, schema: RoleChanged },
    refusals: [
      'no_such_role',
      'built_in_role',
      'name_taken',
      'grant_exceeds_giver',
      'role_gives_more',
      'last_owner',
      'stale',
    ],
  }),
  listPermissions: defineRoute({
    id: 'listPermissions',
    room,
    method: 'GET',
    path: '/access/permissions',
    summary: 'List all permissions, in the order of the screen',
    access: 'signed-in',
    answer: {
      status: 200,
      schema: z.strictObject({
        items: z.array(
          z.strictObject({ permission: PermissionName, group: z.string(), description: z.string() }),
        ),
      }),
    },
  }),
} as const;
