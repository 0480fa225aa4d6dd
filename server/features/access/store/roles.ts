import type { ReadDb, WriteTx } from '../../../db/database.ts';
import { cutPage, decodeCursor } from '../../../db/keyset.ts';
import type { RoleTable } from '../../../db/schema/access.ts';
import type { PageRequest } from '../types.ts';

export interface StoredRole extends RoleTable {
  permissions: ReadonlySet<string>;
}

/** The built-in ones first, then by name; hidden ones never. Throws a 400 refusal on a wrong cursor. */
export async function listRoles(
  db: ReadDb,
  wanted: PageRequest,
): Promise<{ items: StoredRole[]; next_cursor: string | null }> {
  let query = db.selectFrom('role').selectAll().where('hidden', '=', 0);
  if (wanted.cursor !== undefined) {
    const [builtIn, name = ''] = decodeCursor(wanted.cursor, 2);
    const last = builtIn === '1' ? 1 : 0;
    query = query.where((eb) =>
      eb.or([eb('built_in', '<', last), eb.and([eb('built_in', '=', last), eb('name', '>', name)])]),
    );
  }
  const rows = await query
    .orderBy('built_in', 'desc')
    .orderBy('name')
    .limit(wanted.limit + 1)
    .execute();
  const page = cutPage(rows, wanted.limit, (row) => [String(row.built_in), row.name]);
  return { ...page, items: await withPermissions(db, page.items) };
}

async function withPermissions(db: ReadDb, roles: readonly RoleTable[]): Promise<StoredRole[]> {
  if (roles.length === 0) return [];
  const ids = roles.map((role) => role.id);
  const rows = await db.selectFrom('role_permission').selectAll().where('role_id', 'in', ids).execute();
  const permissionsOf = Map.groupBy(rows, (row) => row.role_id);
  return roles.map((role) => ({
    ...role,
    permissions: new Set(permissionsOf.get(role.id)?.map((row) => row.permission)),
  }));
}

/** Lists the names of all roles, including hidden ones: a name belongs to one role. */
export async function roleNames(db: ReadDb): Promise<{ id: string; name: string }[]> {
  return db.selectFrom('role').select(['id', 'name']).execute();
}

export async function findRole(db: ReadDb, id: string): Promise<StoredRole | null> {
  const role = await db.selectFrom('role').selectAll().where('id', '=', id).executeTakeFirst();
  if (!role) return null;
  return (await withPermissions(db, [role]))[0] ?? null;
}

export async function insertRole(tx: WriteTx, row: RoleTable, permissions: readonly string[]): Promise<void> {
  await tx.insertInto('role').values(row).execute();
  await insertPermissions(tx, row.id, permissions);
}

/** Rewrites a role: names, permissions, enabled. */
export async function replaceRole(
  tx: WriteTx,
  role: { id: string; name: string; description: string; permissions: readonly string[]; now: string },
): Promise<void> {
  await tx
    .updateTable('role')
    .set((eb) => ({
      name: role.name,
      description: role.description,
      enabled: 1 as const,
      built_in: 1 as const,
      version: eb('version', '+', 1),
      updated_at: role.now,
    }))
    .where('id', '=', role.id)
    .execute();
  await replacePermissions(tx, role.id, role.permissions);
}

type RoleChange = Partial<Pick<RoleTable, 'name' | 'description' | 'enabled' | 'requires_two_factor'>>;

/** Changes a role and moves its version on; permissions stay when null. False when it changed since `version`. */
export async function updateRole(
  tx: WriteTx,
  { id, version, now }: { id: string; version: number; now: string },
  change: RoleChange,
  permissions: readonly string[] | null,
): Promise<boolean> {
  const result = await tx
    .updateTable('role')
    .set({ ...change, version: version + 1, updated_at: now })
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst();
  if (result.numUpdatedRows !== 1n) return false;
  if (permissions !== null) await replacePermissions(tx, id, permissions);
  return true;
}

async function replacePermissions(
  tx: WriteTx,
  roleId: string,
  permissions: readonly string[],
): Promise<void> {
  await tx.deleteFrom('role_permission').where('role_id', '=', roleId).execute();
  await insertPermissions(tx, roleId, permissions);
}

async function insertPermissions(tx: WriteTx, roleId: string, permissions: readonly string[]): Promise<void> {
  if (permissions.length === 0) return;
  const rows = permissions.map((permission) => ({ role_id: roleId, permission }));
  await tx.insertInto('role_permission').values(rows).execute();
}
