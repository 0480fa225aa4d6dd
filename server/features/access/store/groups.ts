import type { ReadDb, WriteTx } from '../../../db/database.ts';
import { cutPage, decodeCursor } from '../../../db/keyset.ts';
import type { GroupMemberTable, PrincipalGroupTable } from '../../../db/schema/access.ts';
import type { PageRequest } from '../types.ts';

export interface StoredGroup extends PrincipalGroupTable {
  member_count: number;
}

export interface StoredMember extends Pick<GroupMemberTable, 'id' | 'version' | 'created_at'> {
  principal_id: string;
  kind: 'user' | 'integration' | 'bootstrap';
  display_name: string;
  enabled: 0 | 1;
}

function groups(db: ReadDb) {
  return db
    .selectFrom('principal_group as g')
    .selectAll('g')
    .select((eb) =>
      eb
        .selectFrom('group_member as m')
        .select(eb.fn.countAll<number | string>().as('count'))
        .whereRef('m.group_id', '=', 'g.id')
        .as('member_count'),
    );
}

const toGroup = (row: PrincipalGroupTable & { member_count: number | string | null }): StoredGroup => ({
  ...row,
  member_count: Number(row.member_count),
});

/** Lists groups by name. Throws a 400 refusal on a wrong cursor. */
export async function listGroups(
  db: ReadDb,
  wanted: PageRequest,
): Promise<{ items: StoredGroup[]; next_cursor: string | null }> {
  let query = groups(db);
  if (wanted.cursor !== undefined) {
    const [name = ''] = decodeCursor(wanted.cursor, 1);
    query = query.where('g.name', '>', name);
  }
  const rows = await query
    .orderBy('g.name')
    .limit(wanted.limit + 1)
    .execute();
  return cutPage(rows.map(toGroup), wanted.limit, (row) => [row.name]);
}

export async function findGroup(db: ReadDb, id: string): Promise<StoredGroup | null> {
  const row = await groups(db).where('g.id', '=', id).executeTakeFirst();
  return row ? toGroup(row) : null;
}

export async function groupNames(db: ReadDb): Promise<{ id: string; name: string }[]> {
  return db.selectFrom('principal_group').select(['id', 'name']).execute();
}

export async function insertGroup(tx: WriteTx, row: PrincipalGroupTable): Promise<void> {
  await tx.insertInto('principal_group').values(row).execute();
}

type GroupChange = Partial<Pick<PrincipalGroupTable, 'name' | 'description' | 'enabled'>>;

/** Changes a group and moves its version on. False when it changed since `version`. */
export async function updateGroup(
  tx: WriteTx,
  { id, version, now }: { id: string; version: number; now: string },
  change: GroupChange = {},
): Promise<boolean> {
  const result = await tx
    .updateTable('principal_group')
    .set({ ...change, version: version + 1, updated_at: now })
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

function members(db: ReadDb) {
  return db
    .selectFrom('group_member as m')
    .innerJoin('principal as p', 'p.id', 'm.principal_id')
    .select(['m.id', 'm.version', 'm.created_at', 'm.principal_id', 'p.kind', 'p.display_name', 'p.enabled']);
}

/** Lists members by name. */
export async function listMembers(db: ReadDb, groupId: string): Promise<StoredMember[]> {
  const query = members(db).where('m.group_id', '=', groupId);
  return query.orderBy('p.display_name').orderBy('p.id').execute();
}

export async function findMember(db: ReadDb, groupId: string, id: string): Promise<StoredMember | null> {
  const query = members(db).where('m.group_id', '=', groupId).where('m.id', '=', id);
  return (await query.executeTakeFirst()) ?? null;
}

export async function isMember(db: ReadDb, groupId: string, principalId: string): Promise<boolean> {
  const query = db.selectFrom('group_member').select('id').where('group_id', '=', groupId);
  return (await query.where('principal_id', '=', principalId).executeTakeFirst()) !== undefined;
}

export async function insertMember(tx: WriteTx, row: GroupMemberTable): Promise<void> {
  await tx.insertInto('group_member').values(row).execute();
}

/** False when the membership is gone or changed since `version`. */
export async function deleteMember(tx: WriteTx, id: string, version: number): Promise<boolean> {
  const query = tx.deleteFrom('group_member').where('id', '=', id).where('version', '=', version);
  return (await query.executeTakeFirst()).numDeletedRows === 1n;
}
