import { containsAny } from '../../../db/contains.ts';
import type { ReadDb, WriteTx } from '../../../db/database.ts';
import { cutPage, decodeCursor } from '../../../db/keyset.ts';
import type { GroupMemberTable, PrincipalGroupTable, PrincipalTable } from '../../../db/schema/access.ts';
import { searchTextOf } from '../../../platform/search-text.ts';
import type { PageRequest } from '../types.ts';

export interface PeopleFilter extends PageRequest {
  /** Null for people and integrations together. */
  readonly kind: 'user' | 'integration' | null;
  /** Search texts, one of which must be part of the name or sign-in name, as `searchTerms` returns them. */
  readonly texts?: readonly string[] | undefined;
  readonly enabled?: boolean | undefined;
}

/** Lists people by name. Throws a 400 refusal on a wrong cursor. */
export async function listPeople(
  db: ReadDb,
  filter: PeopleFilter,
): Promise<{ items: PrincipalTable[]; next_cursor: string | null }> {
  const { kind, texts = [], enabled, limit, cursor } = filter;
  let query = db.selectFrom('principal').selectAll();
  query = kind === null ? query.where('kind', '!=', 'bootstrap') : query.where('kind', '=', kind);
  if (texts.length > 0) query = query.where(containsAny(texts));
  if (enabled !== undefined) query = query.where('enabled', '=', enabled ? 1 : 0);
  if (cursor !== undefined) {
    const [name = '', id = ''] = decodeCursor(cursor, 2);
    query = query.where((eb) => eb(eb.refTuple('display_name', 'id'), '>', eb.tuple(name, id)));
  }
  const rows = await query
    .orderBy('display_name')
    .orderBy('id')
    .limit(limit + 1)
    .execute();
  return cutPage(rows, limit, (row) => [row.display_name, row.id]);
}

/** Returns the time at which each of these last used a session or a key; those who never did are left out. */
export async function lastSeen(db: ReadDb, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const latest = new Map<string, string>();
  if (ids.length === 0) return latest;
  for (const table of ['session', 'api_key'] as const) {
    const rows = await db
      .selectFrom(table)
      .select((eb) => ['principal_id', eb.fn.max('last_used_at').as('at')])
      .where('principal_id', 'in', [...ids])
      .groupBy('principal_id')
      .execute();
    for (const { principal_id, at } of rows)
      if (at !== null && at > (latest.get(principal_id) ?? '')) latest.set(principal_id, at);
  }
  return latest;
}

export interface StoredMembership extends Pick<GroupMemberTable, 'id' | 'version'> {
  group_id: PrincipalGroupTable['id'];
  name: string;
  enabled: PrincipalGroupTable['enabled'];
  group_version: number;
}

/** The groups of a principal, by name. */
export async function groupsOf(db: ReadDb, principalId: string): Promise<StoredMembership[]> {
  return await db
    .selectFrom('group_member as m')
    .innerJoin('principal_group as g', 'g.id', 'm.group_id')
    .select(['m.id', 'm.version', 'g.id as group_id', 'g.name', 'g.enabled', 'g.version as group_version'])
    .where('m.principal_id', '=', principalId)
    .orderBy('g.name')
    .execute();
}

export type PersonColumns = Partial<
  Pick<
    PrincipalTable,
    | 'login'
    | 'display_name'
    | 'enabled'
    | 'password_hash'
    | 'password_change_required'
    | 'temporary_until'
    | 'totp_secret'
    | 'totp_pending'
    | 'totp_last_step'
  >
>;

/** Changes a principal and moves its version on. Null when it changed since `before` was read. */
export async function updatePerson(
  tx: WriteTx,
  before: PrincipalTable,
  columns: PersonColumns,
  now: string,
): Promise<PrincipalTable | null> {
  const { display_name, login } = { ...before, ...columns };
  const search_text = searchTextOf([display_name, login]);
  const row = await tx
    .updateTable('principal')
    .set((eb) => ({ ...columns, search_text, version: eb('version', '+', 1), updated_at: now }))
    .where('id', '=', before.id)
    .where('version', '=', before.version)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}
