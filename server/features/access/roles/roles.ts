import { ALL_PERMISSIONS, INSTALLATION, type Permission } from '../../../../shared/permissions.ts';
import type { Database, ReadDb, WriteTx } from '../../../db/database.ts';
import { type Clock, isoTime } from '../../../platform/clock.ts';
import { newId } from '../../../platform/ids.ts';
import { assertMayChange } from '../authority/may-change.ts';
import { assertMayGrant } from '../authority/may-grant.ts';
import { changedFields, type Patch, patched } from '../changed-fields.ts';
import { AccessConflictError, MissingError } from '../errors.ts';
import { assertNameFree } from '../names.ts';
import type { ChangePolicy } from '../policy-change.ts';
import type { Resources } from '../resources.ts';
import { resourcesOfRole } from '../store/assignments.ts';
import { readPolicy } from '../store/policy.ts';
import { findRole, insertRole, listRoles, roleNames, type StoredRole, updateRole } from '../store/roles.ts';
import type { ActorWithGrants, ChangeResult, ItemVersion, PageRequest } from '../types.ts';

interface RoleFields {
  readonly name: string;
  readonly description: string;
  readonly permissions: readonly Permission[];
  readonly enabled: boolean;
  readonly requires_two_factor: boolean;
}

/** Roles that a screen shows. Refusals: 403 more than the actor holds, 404, 409 stale, taken or built in. */
export interface Roles {
  list(
    page: PageRequest,
  ): Promise<{ items: StoredRole[]; next_cursor: string | null; policyVersion: number }>;
  get(id: string): Promise<ChangeResult<StoredRole>>;
  create(
    actor: ActorWithGrants,
    role: RoleFields & { expectedVersion: number },
  ): Promise<ChangeResult<StoredRole>>;
  change(
    actor: ActorWithGrants,
    item: ItemVersion,
    patch: Patch<RoleFields>,
  ): Promise<ChangeResult<StoredRole>>;
}

export function createRoles(parts: {
  db: Database;
  clock: Clock;
  changePolicy: ChangePolicy;
  resources: Resources;
}): Roles {
  const { db, changePolicy } = parts;
  const now = () => isoTime(parts.clock.now());
  return {
    async list(page) {
      const { version: policyVersion } = await readPolicy(db.read);
      return { ...(await listRoles(db.read, page)), policyVersion };
    },

    async get(id) {
      const { version: policyVersion } = await readPolicy(db.read);
      return { result: await roleOf(db.read, id), policyVersion };
    },

    create: (actor, { expectedVersion, ...fields }) =>
      changePolicy({
        actor,
        operation: 'role.create',
        expectedVersion,
        work: (tx) => create(tx, actor, fields, now()),
        describe: ({ id }) => ({ target: { kind: 'role', id }, details: { ...fields } }),
      }),

    async change(actor, item, patch) {
      const changed = await changePolicy({
        actor,
        operation: 'role.change',
        expectedVersion: item.expectedVersion,
        work: async (tx) => {
          const role = await roleOf(tx, item.id);
          const touched = { kind: 'role', id: item.id, permissions: permissionsOf(role) } as const;
          await assertMayChange(tx, parts.resources, actor, touched);
          return change(tx, actor, item, patch, now());
        },
        describe: ({ before, after }) => ({
          target: { kind: 'role', id: item.id },
          details: { role: after.name, ...changedFields(fieldsOf(before), fieldsOf(after)) },
        }),
      });
      return { ...changed, result: changed.result.after };
    },
  };
}

/** A role that a screen shows. Throws a 404 refusal. */
export async function roleOf(db: ReadDb, id: string): Promise<StoredRole> {
  const role = await findRole(db, id);
  if (!role || role.hidden === 1) throw new MissingError('no_such_role');
  return role;
}

/** Returns the permissions of a role in the order of the roles screen, without names of earlier releases. */
export function permissionsOf(role: StoredRole): Permission[] {
  return ALL_PERMISSIONS.filter((permission) => role.permissions.has(permission));
}

export function fieldsOf(role: StoredRole): RoleFields {
  return {
    name: role.name,
    description: role.description,
    permissions: permissionsOf(role),
    enabled: role.enabled === 1,
    requires_two_factor: role.requires_two_factor === 1,
  };
}

const rowOf = ({ name, description, enabled, requires_two_factor }: RoleFields) =>
  ({
    name,
    description,
    enabled: enabled ? 1 : 0,
    requires_two_factor: requires_two_factor ? 1 : 0,
  }) as const;

async function create(
  tx: WriteTx,
  actor: ActorWithGrants,
  fields: RoleFields,
  now: string,
): Promise<StoredRole> {
  assertNameFree(await roleNames(tx), fields.name);
  const permissions = new Set(fields.permissions);
  assertMayGrant(actor, permissions, INSTALLATION);
  const shown = { built_in: 0, hidden: 0, version: 1, created_at: now, updated_at: now } as const;
  const row = { id: newId(), ...rowOf(fields), ...shown };
  await insertRole(tx, row, [...permissions]);
  return { ...row, permissions };
}

async function change(
  tx: WriteTx,
  actor: ActorWithGrants,
  { id, version }: ItemVersion,
  patch: Patch<RoleFields>,
  now: string,
): Promise<{ before: StoredRole; after: StoredRole }> {
  const before = await roleOf(tx, id);
  const old = fieldsOf(before);
  const next = patched(old, patch);
  assertChangeable(before, next);
  if (next.name !== old.name) assertNameFree(await roleNames(tx), next.name, id);
  await assertMayAdd(tx, actor, { id, old, next });
  const permissions = patch.permissions ? [...new Set(next.permissions)] : null;
  if (!(await updateRole(tx, { id, version, now }, rowOf(next), permissions)))
    throw new AccessConflictError();
  return { before, after: await roleOf(tx, id) };
}

function assertChangeable(role: StoredRole, next: RoleFields): void {
  if (role.built_in === 0) return;
  const { requires_two_factor: _, ...others } = changedFields(fieldsOf(role), next);
  if (Object.keys(others).length > 0) throw new AccessConflictError('built_in_role');
}

/**
 * Checks that the actor holds the added permissions wherever the role is assigned, or on the installation when it is
 * not assigned. Throws a 403 refusal.
 */
async function assertMayAdd(
  tx: WriteTx,
  actor: ActorWithGrants,
  { id, old, next }: { id: string; old: RoleFields; next: RoleFields },
): Promise<void> {
  const assigned = await resourcesOfRole(tx, id);
  const added = next.permissions.filter((permission) => !old.permissions.includes(permission));
  for (const resourceId of assigned.length === 0 ? [INSTALLATION] : assigned)
    assertMayGrant(actor, added, resourceId);
}
