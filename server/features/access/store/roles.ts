import type { ReadDb, WriteTx } from '../../../db/database.ts';
import type { RoleTable } from '../../../db/schema/access.ts';

export interface StoredRole extends RoleTable {
  permissions: ReadonlySet<string>;
}

export async function findRole(db: ReadDb, id: string): Promise<StoredRole | null> {
  const role = await db.selectFrom('role').selectAll().where('id', '=', id).executeTakeFirst();
  if (!role) return null;
  const rows = await db
    .selectFrom('role_permission')
    .select('permission')
    .where('role_id', '=', id)
    .execute();
  return { ...role, permissions: new Set(rows.map((row) => row.permission)) };
}

export async function insertRole(tx: WriteTx, row: RoleTable, permissions: readonly string[]): Promise<void> {
  await tx.insertInto('role').values(row).execute();
  await insertPermissions(tx, row.id, permissions);
}

/** Writes a role anew: names, permissions, enabled. */
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
  await tx.deleteFrom('role_permission').where('role_id', '=', role.id).execute();
  await insertPermissions(tx, role.id, role.permissions);
}

async function insertPermissions(tx: WriteTx, roleId: string, permissions: readonly string[]): Promise<void> {
  if (permissions.length === 0) return;
  const rows = permissions.map((permission) => ({ role_id: roleId, permission }));
  await tx.insertInto('role_permission').values(rows).execute();
}
