import type { PrincipalKind } from '../../../../shared/states/access.ts';
import type { ReadDb, WriteTx } from '../../../db/database.ts';
import { cutPage, decodeCursor } from '../../../db/keyset.ts';
import type { AssignmentTable } from '../../../db/schema/access.ts';
import type { Grants, PageRequest } from '../types.ts';
import { grantsOf } from './grants.ts';

export interface StoredAssignment extends AssignmentTable {
  role_name: string;
  subject_name: string;
  /** Null for a group. */
  principal_kind: PrincipalKind | null;
}

export interface AssignmentFilter extends PageRequest {
  readonly subjectId?: string | undefined;
  readonly roleId?: string | undefined;
  readonly resourceId?: string | undefined;
}

/** Those of roles that a screen shows: hidden ones belong to keys. */
function assignments(db: ReadDb) {
  return db
    .selectFrom('assignment as a')
    .innerJoin('role as r', 'r.id', 'a.role_id')
    .leftJoin('principal as p', (join) =>
      join.onRef('p.id', '=', 'a.subject_id').on('a.subject_kind', '=', 'principal'),
    )
    .leftJoin('principal_group as g', (join) =>
      join.onRef('g.id', '=', 'a.subject_id').on('a.subject_kind', '=', 'group'),
    )
    .selectAll('a')
    .select(['r.name as role_name', 'p.kind as principal_kind'])
    .select((eb) => eb.fn.coalesce('p.display_name', 'g.name', eb.val('')).as('subject_name'))
    .where('r.hidden', '=', 0);
}

/** Newest first. Throws a 400 refusal on a wrong cursor. */
export async function listAssignments(
  db: ReadDb,
  wanted: AssignmentFilter,
): Promise<{ items: StoredAssignment[]; next_cursor: string | null }> {
  let query = assignments(db);
  if (wanted.subjectId !== undefined) query = query.where('a.subject_id', '=', wanted.subjectId);
  if (wanted.roleId !== undefined) query = query.where('a.role_id', '=', wanted.roleId);
  if (wanted.resourceId !== undefined) query = query.where('a.resource_id', '=', wanted.resourceId);
  if (wanted.cursor !== undefined) {
    const [at = '', id = ''] = decodeCursor(wanted.cursor, 2);
    query = query.where((eb) => eb(eb.refTuple('a.created_at', 'a.id'), '<', eb.tuple(at, id)));
  }
  const rows = await query
    .orderBy('a.created_at', 'desc')
    .orderBy('a.id', 'desc')
    .limit(wanted.limit + 1)
    .execute();
  return cutPage(rows, wanted.limit, (row) => [row.created_at, row.id]);
}

export async function findAssignment(db: ReadDb, id: string): Promise<StoredAssignment | null> {
  return (await assignments(db).where('a.id', '=', id).executeTakeFirst()) ?? null;
}

export async function isAssigned(
  db: ReadDb,
  which: { subjectId: string; roleId: string; resourceId: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('assignment')
    .select('id')
    .where('subject_id', '=', which.subjectId)
    .where('role_id', '=', which.roleId)
    .where('resource_id', '=', which.resourceId)
    .executeTakeFirst();
  return row !== undefined;
}

/** False when the assignment is gone or changed since `version`. */
export async function deleteAssignment(tx: WriteTx, id: string, version: number): Promise<boolean> {
  const query = tx.deleteFrom('assignment').where('id', '=', id).where('version', '=', version);
  return (await query.executeTakeFirst()).numDeletedRows === 1n;
}

/** All that the assignments of this person or group name, in force or not: what is disabled can come alive again. */
export async function grantsGivenTo(db: ReadDb, subjectId: string): Promise<Grants> {
  const rows = await db
    .selectFrom('assignment as a')
    .innerJoin('role_permission as rp', 'rp.role_id', 'a.role_id')
    .select(['a.resource_id', 'rp.permission'])
    .where('a.subject_id', '=', subjectId)
    .execute();
  return grantsOf(rows);
}

/** Lists the resources on which a role is assigned to any principal. */
export async function resourcesOfRole(db: ReadDb, roleId: string): Promise<string[]> {
  const query = db.selectFrom('assignment').select('resource_id').distinct().where('role_id', '=', roleId);
  return (await query.execute()).map((row) => row.resource_id);
}

/** Resources that begin so and on which something is assigned. */
export async function assignedResources(db: ReadDb, prefix: string): Promise<string[]> {
  const rows = await db
    .selectFrom('assignment')
    .select('resource_id')
    .distinct()
    .where('resource_id', 'like', `${prefix}%`)
    .orderBy('resource_id', 'desc')
    .execute();
  return rows.map((row) => row.resource_id);
}
