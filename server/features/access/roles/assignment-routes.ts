import { assignmentRoutes as routes } from '../../../../shared/api/access-assignments.ts';
import { type ServedRoute, serve } from '../../../http/handler.ts';
import { actorOf } from '../service.ts';
import type { ChangeResult } from '../types.ts';
import type { Assignments, ShownAssignment } from './assignments.ts';

/** Role assignments: who has which role where. */
export function assignmentServedRoutes(assignments: Assignments): ServedRoute[] {
  return [
    serve(routes.listAssignments, async ({ query }) => {
      const { subject_id: subjectId, role_id: roleId, resource_id: resourceId, ...page } = query;
      const found = await assignments.list({ subjectId, roleId, resourceId, ...page });
      const { items, next_cursor, policyVersion } = found;
      return { items: items.map(assignmentAnswer), next_cursor, policy_version: policyVersion };
    }),
    serve(routes.createAssignment, async ({ caller, body }) => {
      const { subject, role, resource_id: resourceId, expected_policy_version: expectedVersion } = body;
      const wanted = { subject, role, resourceId, expectedVersion };
      return changed(await assignments.create(actorOf(caller), wanted));
    }),
    serve(routes.removeAssignment, async ({ caller, params, body }) => {
      const { version, expected_policy_version: expectedVersion } = body;
      const item = { id: params.id, version, expectedVersion };
      return changed(await assignments.remove(actorOf(caller), item));
    }),
    serve(routes.listResources, async ({ query }) => {
      const { result, policyVersion } = await assignments.resources(query.kind);
      return { items: result, policy_version: policyVersion };
    }),
  ];
}

function changed({ result, policyVersion }: ChangeResult<ShownAssignment>) {
  return { assignment: assignmentAnswer(result), policy_version: policyVersion };
}

function assignmentAnswer(assignment: ShownAssignment) {
  const { id, subject_kind, subject_id, subject_name, principal_kind, role_id, role_name } = assignment;
  const { resource, version, created_at } = assignment;
  return {
    id,
    subject: { kind: subject_kind, id: subject_id, name: subject_name, principal_kind },
    role: { id: role_id, name: role_name },
    resource,
    version,
    created_at,
  };
}
