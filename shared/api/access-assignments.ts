import { z } from 'zod';
import { PRINCIPAL_KINDS } from '../states/access.ts';
import {
  AccessResource,
  CurrentPolicyVersion,
  EntityRef,
  ItemVersionsIn,
  NamedRef,
  PolicyVersion,
  pageQuery,
  policyPageOf,
  ResourceId,
  SubjectRef,
} from './access-values.ts';
import { defineRoute } from './route.ts';
import { Id, IdParams, Time, Version } from './values.ts';

const room = 'access';
const badBody = 'sentence';

export const Assignment = z
  .strictObject({
    id: Id,
    subject: z.strictObject({
      kind: z.enum(['principal', 'group']),
      id: Id,
      name: z.string(),
      principal_kind: z.enum(PRINCIPAL_KINDS).nullable().describe('null for a group'),
    }),
    role: NamedRef,
    resource: AccessResource,
    version: Version,
    created_at: Time,
  })
  .meta({ id: 'AccessAssignment' });

const AssignmentCreate = z
  .strictObject({
    subject: SubjectRef,
    role: EntityRef,
    resource_id: ResourceId,
    expected_policy_version: PolicyVersion,
  })
  .meta({ id: 'AssignmentCreate' });

const AssignmentChanged = z.strictObject({ assignment: Assignment, policy_version: CurrentPolicyVersion });

export const assignmentRoutes = {
  listAssignments: defineRoute({
    id: 'listAssignments',
    room,
    method: 'GET',
    path: '/access/assignments',
    summary: 'List role assignments, newest first',
    access: 'grants:read',
    query: z.strictObject({
      subject_id: Id.optional(),
      role_id: Id.optional(),
      resource_id: ResourceId.optional(),
      ...pageQuery,
    }),
    answer: { status: 200, schema: policyPageOf(Assignment) },
  }),
  createAssignment: defineRoute({
    id: 'createAssignment',
    room,
    method: 'POST',
    path: '/access/assignments',
    summary: 'Give a role to a person, integration or group on a resource',
    description:
      'You can give only permissions that you have there yourself. On `mailbox:<id>` and `inbound:<id>`, only the ' +
      'permissions fax:*, inbound:* and work:* of the role have an effect; the others work only on `installation`. ' +
      '`legacy`, the documents in no mailbox, is refused: only people with access to everything can see them.',
    access: 'grants:manage',
    audited: { operation: 'assignment.create', target: 'assignment' },
    badBody,
    body: AssignmentCreate,
    answer: { status: 200, schema: AssignmentChanged },
    refusals: [
      'no_such_person',
      'no_such_group',
      'no_such_role',
      'no_such_resource',
      'no_mailbox_resource',
      'installation_key_fixed',
      'role_disabled',
      'already_assigned',
      'grant_exceeds_giver',
      'stale',
    ],
  }),
  removeAssignment: defineRoute({
    id: 'removeAssignment',
    room,
    method: 'POST',
    path: '/access/assignments/:id/remove',
    summary: 'Remove a role assignment',
    access: 'grants:manage',
    audited: { operation: 'assignment.remove', target: 'assignment', param: 'id' },
    badBody,
    params: IdParams,
    body: ItemVersionsIn,
    answer: { status: 200, schema: AssignmentChanged },
    refusals: ['no_such_assignment', 'role_gives_more', 'last_owner', 'stale'],
  }),
  listResources: defineRoute({
    id: 'listResources',
    room,
    method: 'GET',
    path: '/access/resources',
    summary:
      'List the resources where roles can be given: everything, mailboxes, and documents with role assignments',
    access: 'grants:read',
    query: z.strictObject({ kind: z.enum(['installation', 'mailbox', 'inbound', 'legacy']).optional() }),
    answer: {
      status: 200,
      schema: z.strictObject({ items: z.array(AccessResource), policy_version: CurrentPolicyVersion }),
    },
  }),
} as const;
