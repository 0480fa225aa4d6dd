import { roleRoutes as routes } from '../../../../shared/api/access-groups.ts';
import { ALL_PERMISSIONS, PERMISSIONS, permissionGroup } from '../../../../shared/permissions.ts';
import { type ServedRoute, serve } from '../../../http/handler.ts';
import { actorOf } from '../service.ts';
import { fieldsOf, type Roles } from './roles.ts';

type StoredRole = Awaited<ReturnType<Roles['get']>>['result'];

const permissionItems = ALL_PERMISSIONS.map((permission) => ({
  permission,
  group: permissionGroup(permission),
  description: PERMISSIONS[permission],
}));

/** Roles, and the permissions they are made of. */
export function roleServedRoutes(roles: Roles): ServedRoute[] {
  return [
    serve(routes.listRoles, async ({ query }) => {
      const { items, next_cursor, policyVersion } = await roles.list(query);
      return { items: items.map(roleAnswer), next_cursor, policy_version: policyVersion };
    }),
    serve(routes.createRole, async ({ caller, body }) => {
      const { expected_policy_version: expectedVersion, ...fields } = body;
      return changed(await roles.create(actorOf(caller), { ...fields, expectedVersion }));
    }),
    serve(routes.getRole, async ({ params }) => changed(await roles.get(params.id))),
    serve(routes.changeRole, async ({ caller, params, body }) => {
      const { version, expected_policy_version: expectedVersion, ...patch } = body;
      const item = { id: params.id, version, expectedVersion };
      return changed(await roles.change(actorOf(caller), item, patch));
    }),
    serve(routes.listPermissions, async () => ({ items: permissionItems })),
  ];
}

function changed({ result, policyVersion }: Awaited<ReturnType<Roles['change']>>) {
  return { role: roleAnswer(result), policy_version: policyVersion };
}

function roleAnswer(role: StoredRole) {
  const { id, version, created_at, updated_at } = role;
  const fields = fieldsOf(role);
  return {
    id,
    ...fields,
    permissions: [...fields.permissions],
    built_in: role.built_in === 1,
    version,
    created_at,
    updated_at,
  };
}
