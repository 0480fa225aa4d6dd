import type { PrincipalKind } from '../../../../shared/states/access.ts';
import type { ReadDb } from '../../../db/database.ts';
import { cutPage, decodeCursor } from '../../../db/keyset.ts';
import type { KeyMeta } from '../types.ts';
import { KEY_COLUMNS, toKeyMeta } from './keys.ts';

/** A key with whom it belongs to. */
export interface OwnedKey extends KeyMeta {
  principal: { id: string; kind: PrincipalKind; displayName: string; enabled: boolean };
}

export interface KeyQuery {
  principalId: string | undefined;
  state: 'active' | 'review' | 'expired' | 'revoked' | undefined;
  limit: number;
  cursor: string | undefined;
}

function ownedKeys(db: ReadDb) {
  return db
    .selectFrom('api_key')
    .innerJoin('principal as p', 'p.id', 'api_key.principal_id')
    .select([...KEY_COLUMNS, 'p.kind', 'p.display_name', 'p.enabled']);
}

type Row = Awaited<ReturnType<ReturnType<typeof ownedKeys>['executeTakeFirstOrThrow']>>;

function toOwnedKey(row: Row): OwnedKey {
  const { kind, display_name: displayName } = row;
  return {
    ...toKeyMeta(row),
    principal: { id: row.principal_id, kind, displayName, enabled: row.enabled === 1 },
  };
}

export async function ownedKey(db: ReadDb, keyId: string): Promise<OwnedKey> {
  return toOwnedKey(await ownedKeys(db).where('key_id', '=', keyId).executeTakeFirstOrThrow());
}

/**
 * A page of keys, those whose maker was disabled first, then newest first; their states are those of `now`,
 * and keys whose maker was disabled at `leftBefore` or earlier have stopped. Throws a 400 refusal on a wrong cursor.
 */
export async function pageKeys(
  db: ReadDb,
  { principalId, state, limit, cursor }: KeyQuery,
  { now, leftBefore }: { now: string; leftBefore: string },
): Promise<{ items: OwnedKey[]; next_cursor: string | null }> {
  let query = ownedKeys(db);
  if (principalId !== undefined) query = query.where('principal_id', '=', principalId);
  if (state !== undefined) query = query.where('revoked_at', state === 'revoked' ? 'is not' : 'is', null);
  if (state === 'review') query = query.where('state', '=', 'review');
  if (state === 'active' || state === 'expired') query = query.where('state', '=', 'active');
  if (state === 'expired')
    query = query.where((eb) =>
      eb.or([
        eb('expires_at', '<=', now),
        eb.and([eb('maker_left_at', '!=', ''), eb('maker_left_at', '<=', leftBefore)]),
      ]),
    );
  if (state === 'active')
    query = query.where((eb) =>
      eb.and([
        eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]),
        eb.or([eb('maker_left_at', '=', ''), eb('maker_left_at', '>', leftBefore)]),
      ]),
    );
  if (cursor !== undefined) {
    const [left = '', at = '', id = ''] = decodeCursor(cursor, 3);
    query = query.where((eb) =>
      eb(eb.refTuple('maker_left_at', 'api_key.created_at', 'key_id'), '<', eb.tuple(left, at, id)),
    );
  }
  const rows = await query
    .orderBy('maker_left_at', 'desc')
    .orderBy('api_key.created_at', 'desc')
    .orderBy('key_id', 'desc')
    .limit(limit + 1)
    .execute();
  const page = cutPage(rows, limit, (row) => [row.maker_left_at, row.created_at, row.key_id]);
  return { items: page.items.map(toOwnedKey), next_cursor: page.next_cursor };
}
