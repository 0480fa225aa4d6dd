import { INSTALLATION, isPermission, type Permission } from '../../../../shared/permissions.ts';
import type { ReadDb, WriteTx } from '../../../db/database.ts';
import type { AssignmentTable } from '../../../db/schema/access.ts';
import type { Grants } from '../types.ts';

export const OWNER_ROLE = 'role_owner';

/** Every assignment with the principal it reaches: its own ones and those of its groups, in force or not. */
function assigned(db: ReadDb) {
  return db
    .selectFrom('principal as p')
    .innerJoin('assignment as a', (join) =>
      join.on((eb) =>
        eb.or([
          eb.and([eb('a.subject_kind', '=', 'principal'), eb('a.subject_id', '=', eb.ref('p.id'))]),
          eb.and([
            eb('a.subject_kind', '=', 'group'),
            eb(
              'a.subject_id',
              'in',
              eb.selectFrom('group_member as m').select('m.group_id').whereRef('m.principal_id', '=', 'p.id'),
            ),
          ]),
        ]),
      ),
    )
    .innerJoin('role as r', 'r.id', 'a.role_id')
    .leftJoin('principal_group as g', (join) =>
      join.onRef('g.id', '=', 'a.subject_id').on('a.subject_kind', '=', 'group'),
    );
}

/** Those in force: of enabled principals, enabled groups and enabled roles. */
function reaching(db: ReadDb) {
  return assigned(db)
    .where('p.enabled', '=', 1)
    .where('r.enabled', '=', 1)
    .where((eb) => eb.or([eb('g.id', 'is', null), eb('g.enabled', '=', 1)]));
}

/**
 * Returns the present grants of a principal. Empty for one that is disabled or does not exist. Permission names of
 * earlier releases are dropped.
 */
export async function effectiveGrants(db: ReadDb, principalId: string): Promise<Grants> {
  const rows = await reaching(db)
    .innerJoin('role_permission as rp', 'rp.role_id', 'r.id')
    .select(['a.resource_id', 'rp.permission'])
    .where('p.id', '=', principalId)
    .execute();
  return grantsOf(rows);
}

/** Returns the grants of a principal as if they, their groups and their roles were all enabled. */
export async function possibleGrants(db: ReadDb, principalId: string): Promise<Grants> {
  const rows = await assigned(db)
    .innerJoin('role_permission as rp', 'rp.role_id', 'r.id')
    .select(['a.resource_id', 'rp.permission'])
    .where('p.id', '=', principalId)
    .execute();
  return grantsOf(rows);
}

export function grantsOf(rows: readonly { resource_id: string; permission: string }[]): Grants {
  const grants = new Map<string, Set<Permission>>();
  for (const { resource_id, permission } of rows) {
    if (!isPermission(permission)) continue;
    const held = grants.get(resource_id) ?? new Set();
    grants.set(resource_id, held.add(permission));
  }
  return grants;
}

export interface GrantSource {
  permission: string;
  resource_id: string;
  assignment_id: string;
  role_id: string;
  role_name: string;
  /** Null for an assignment to the principal. */
  group_id: string | null;
  group_name: string | null;
}

/** Every permission that a principal holds now with the assignment it comes from. */
export async function grantSources(db: ReadDb, principalId: string): Promise<GrantSource[]> {
  return await reaching(db)
    .innerJoin('role_permission as rp', 'rp.role_id', 'r.id')
    .select([
      'rp.permission',
      'a.resource_id',
      'a.id as assignment_id',
      'r.id as role_id',
      'r.name as role_name',
      'g.id as group_id',
      'g.name as group_name',
    ])
    .where('p.id', '=', principalId)
    .orderBy('r.name')
    .orderBy('a.id')
    .execute();
}

/** Enabled people who are owners of the installation, themselves or through a group. */
export async function ownerIds(db: ReadDb): Promise<string[]> {
  const rows = await owners(db).select('p.id').distinct().execute();
  return rows.map((row) => row.id);
}

/** Returns true when an owner has chosen a password. Until then the first owner may still be enrolled again. */
export async function hasSettledOwner(db: ReadDb): Promise<boolean> {
  const found = await owners(db)
    .select('p.id')
    .where('p.password_change_required', '=', 0)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

function owners(db: ReadDb) {
  return reaching(db)
    .where('p.kind', '=', 'user')
    .where('a.role_id', '=', OWNER_ROLE)
    .where('a.resource_id', '=', INSTALLATION);
}

/** Returns true when the installation has an owner. */
export async function hasOwner(db: ReadDb): Promise<boolean> {
  return (await ownerIds(db)).length > 0;
}

interface Holder {
  id: string;
  displayName: string;
}

/**
 * Enabled people with a password of their own who hold every one of `required` on the installation or on one of
 * `resourceIds`, by name. Works inside a transaction.
 */
export async function holders(
  db: ReadDb,
  required: readonly Permission[],
  resourceIds: readonly string[],
): Promise<Holder[]> {
  const rows = await reaching(db)
    .innerJoin('role_permission as rp', 'rp.role_id', 'r.id')
    .select(['p.id', 'p.display_name', 'rp.permission'])
    .distinct()
    .where('p.kind', '=', 'user')
    .where('p.password_hash', 'is not', null)
    .where('p.password_change_required', '=', 0)
    .where('a.resource_id', 'in', [INSTALLATION, ...resourceIds])
    .where('rp.permission', 'in', [...required])
    .orderBy('p.display_name')
    .orderBy('p.id')
    .execute();
  const people = new Map<string, Holder & { held: number }>();
  for (const row of rows) {
    const person = people.get(row.id) ?? { id: row.id, displayName: row.display_name, held: 0 };
    people.set(row.id, { ...person, held: person.held + 1 });
  }
  const all = new Set(required).size;
  return [...people.values()]
    .filter((p) => p.held === all)
    .map(({ id, displayName }) => ({ id, displayName }));
}

export async function insertAssignment(tx: WriteTx, row: AssignmentTable): Promise<void> {
  await tx.insertInto('assignment').values(row).execute();
}
