import type { ReadDb, WriteTx } from '../../../db/database.ts';
import type { ApiKeyTable } from '../../../db/schema/access.ts';
import type { CeilingEntry, KeyMeta } from '../types.ts';

/** A key with what is needed to check a secret. Leaves the room in no answer. */
export interface StoredKey extends KeyMeta {
  secretHash: string;
  hashKind: ApiKeyTable['hash_kind'];
}

function toStoredKey(row: ApiKeyTable): StoredKey {
  return { ...toKeyMeta(row), secretHash: row.secret_hash, hashKind: row.hash_kind };
}

/** All of a key but its hash. */
export const KEY_COLUMNS = [
  'api_key.key_id',
  'api_key.principal_id',
  'api_key.name',
  'api_key.note',
  'api_key.owner',
  'api_key.made_by',
  'api_key.made_by_name',
  'api_key.maker_left_at',
  'api_key.ceiling',
  'api_key.state',
  'api_key.test',
  'api_key.version',
  'api_key.created_at',
  'api_key.expires_at',
  'api_key.last_used_at',
  'api_key.revoked_at',
] as const;

export function toKeyMeta(row: Omit<ApiKeyTable, 'secret_hash' | 'hash_kind'>): KeyMeta {
  return {
    keyId: row.key_id,
    principalId: row.principal_id,
    name: row.name,
    note: row.note,
    owner: row.owner,
    maker: { id: row.made_by, name: row.made_by_name },
    makerLeftAt: row.maker_left_at === '' ? null : row.maker_left_at,
    ceiling: JSON.parse(row.ceiling) as CeilingEntry[],
    state: row.state,
    isTest: row.test === 1,
    version: row.version,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
  };
}

export async function findKey(db: ReadDb, keyId: string): Promise<StoredKey | null> {
  const row = await db.selectFrom('api_key').selectAll().where('key_id', '=', keyId).executeTakeFirst();
  return row ? toStoredKey(row) : null;
}

/** Every key, newest first, without hashes. */
export async function listKeys(db: ReadDb): Promise<KeyMeta[]> {
  const rows = await db
    .selectFrom('api_key')
    .select(KEY_COLUMNS)
    .orderBy('created_at', 'desc')
    .orderBy('key_id', 'desc')
    .execute();
  return rows.map(toKeyMeta);
}

export async function insertKey(tx: WriteTx, row: ApiKeyTable): Promise<void> {
  await tx.insertInto('api_key').values(row).execute();
}

/** Holds a key's row until the transaction ends. False when the key changed since `version`. */
export async function holdKey(tx: WriteTx, keyId: string, version: number): Promise<boolean> {
  const result = await tx
    .updateTable('api_key')
    .set((eb) => ({ version: eb.ref('version') }))
    .where('key_id', '=', keyId)
    .where('version', '=', version)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Columns of a key that may change. */
export type KeyColumns = Partial<
  Omit<ApiKeyTable, 'key_id' | 'test' | 'version' | 'created_at' | 'last_used_at'>
>;

/** Changes a key and moves its version on. False when it changed since `version`. */
export async function updateKey(
  tx: WriteTx,
  { keyId, version }: { keyId: string; version: number },
  columns: KeyColumns,
): Promise<boolean> {
  const result = await tx
    .updateTable('api_key')
    .set({ ...columns, version: version + 1 })
    .where('key_id', '=', keyId)
    .where('version', '=', version)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** The same secret under the fast hash; nothing happens when the key got another secret meanwhile. */
export async function replaceHash(
  tx: WriteTx,
  change: { keyId: string; oldHash: string; sha256: string },
): Promise<void> {
  await tx
    .updateTable('api_key')
    .set({ secret_hash: change.sha256, hash_kind: 'sha256' })
    .where('key_id', '=', change.keyId)
    .where('secret_hash', '=', change.oldHash)
    .execute();
}

export async function setKeyUsed(tx: WriteTx, keyId: string, now: string): Promise<void> {
  await tx
    .updateTable('api_key')
    .set({ last_used_at: now })
    .where('key_id', '=', keyId)
    .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', now)]))
    .execute();
}

/** Lists the keys in force that a principal made for others, for when that principal leaves. */
export async function keysMadeFor(tx: WriteTx, makerId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('api_key')
    .select('key_id')
    .where('made_by', '=', makerId)
    .where('principal_id', '!=', makerId)
    .where('revoked_at', 'is', null)
    .execute();
  return rows.map((row) => row.key_id);
}

/** Records for these keys that their maker was disabled, or with an empty time that the maker is enabled again. */
export async function setMakerLeft(tx: WriteTx, keyIds: readonly string[], at: string): Promise<void> {
  if (keyIds.length === 0) return;
  await tx
    .updateTable('api_key')
    .set({ maker_left_at: at })
    .where('key_id', 'in', [...keyIds])
    .execute();
}

/** Counts the keys in force whose maker was disabled. */
export async function countLeftKeys(db: ReadDb): Promise<number> {
  const row = await db
    .selectFrom('api_key')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('maker_left_at', '!=', '')
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow();
  return row.count;
}

/** Returns true when there is or was a test key: only these make test faxes, and keys are never removed. */
export async function hasTestKeys(db: ReadDb): Promise<boolean> {
  const found = await db
    .selectFrom('api_key')
    .select('key_id')
    .where('test', '=', 1)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}
