import { groupRoutes as routes } from '../../../../shared/api/access-groups.ts';
import { type ServedRoute, serve } from '../../../http/handler.ts';
import { actorOf } from '../service.ts';
import type { GroupMembers } from './group-members.ts';
import type { Groups } from './groups.ts';

type StoredGroup = Awaited<ReturnType<Groups['get']>>['group'];
type StoredMember = Awaited<ReturnType<Groups['get']>>['members'][number];

/** Groups and who is in them. */
export function groupServedRoutes({
  groups,
  members,
}: {
  groups: Groups;
  members: GroupMembers;
}): ServedRoute[] {
  return [
    serve(routes.listGroups, async ({ query }) => {
      const { items, next_cursor, policyVersion } = await groups.list(query);
      return { items: items.map(groupAnswer), next_cursor, policy_version: policyVersion };
    }),
    serve(routes.createGroup, async ({ caller, body }) => {
      const { expected_policy_version: expectedVersion, ...fields } = body;
      return changed(await groups.create(actorOf(caller), { ...fields, expectedVersion }));
    }),
    serve(routes.getGroup, async ({ params }) => {
      const found = await groups.get(params.id);
      return {
        group: groupAnswer(found.group),
        members: found.members.map(memberAnswer),
        policy_version: found.policyVersion,
      };
    }),
    serve(routes.changeGroup, async ({ caller, params, body }) => {
      const { version, expected_policy_version: expectedVersion, ...patch } = body;
      const item = { id: params.id, version, expectedVersion };
      return changed(await groups.change(actorOf(caller), item, patch));
    }),
    serve(routes.addMember, async ({ caller, params, body }) => {
      const group = groupRead(params.id, body);
      const principal = { id: body.principal_id, version: body.principal_version };
      const { result, policyVersion } = await members.add(actorOf(caller), group, principal);
      return {
        group: groupAnswer(result.group),
        member: memberAnswer(result.member),
        policy_version: policyVersion,
      };
    }),
    serve(routes.removeMember, async ({ caller, params, body }) => {
      const group = groupRead(params.id, body);
      const membership = { id: params.membership_id, version: body.membership_version };
      const { result, policyVersion } = await members.remove(actorOf(caller), group, membership);
      return { group: groupAnswer(result.group), policy_version: policyVersion };
    }),
  ];
}

function groupRead(id: string, body: { group_version: number; expected_policy_version: number }) {
  return { id, version: body.group_version, expectedVersion: body.expected_policy_version };
}

function changed({ result, policyVersion }: Awaited<ReturnType<Groups['change']>>) {
  return { group: groupAnswer(result), policy_version: policyVersion };
}

function groupAnswer(group: StoredGroup) {
  return { ...group, enabled: group.enabled === 1 };
}

function memberAnswer(member: StoredMember) {
  const { id, version, created_at, principal_id, kind, display_name } = member;
  const principal = { id: principal_id, kind, display_name, enabled: member.enabled === 1 };
  return { id, version, principal, created_at };
}
