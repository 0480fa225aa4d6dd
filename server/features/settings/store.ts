import type { ReadDb, WriteTx } from '../../db/database.ts';
import { cutPage, decodeCursor } from '../../db/keyset.ts';
import type { SettingsTables as Tables } from '../../db/schema/settings.ts';
import type { RecordedChange, Revision, RevisionRecord } from './types.ts';

/** The newest revision, or null before the first start is recorded. */
export async function newestRevision(db: ReadDb | WriteTx): Promise<Revision | null> {
  const row = await db
    .selectFrom('settings_revision')
    .select(['id', 'generation'])
    .orderBy('generation', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

/** Stored texts by name: JSON, sealed for secrets. */
export async function storedTexts(db: ReadDb | WriteTx): Promise<Map<string, string>> {
  const rows = await db.selectFrom('setting').select(['name', 'value']).execute();
  return new Map(rows.map((row) => [row.name, row.value]));
}

/** Fails with a unique violation when another process saved this generation first. */
export async function insertRevision(tx: WriteTx, record: RevisionRecord): Promise<void> {
  await tx
    .insertInto('settings_revision')
    .values({
      id: record.id,
      generation: record.generation,
      created_at: record.createdAt,
      actor_id: record.actor.id,
      actor_name: record.actor.name,
      changes: JSON.stringify(record.changes),
    })
    .execute();
}

/** Writes the texts of a revision; null takes a row away. */
export async function writeTexts(
  tx: WriteTx,
  args: { generation: number; texts: ReadonlyMap<string, string | null> },
): Promise<void> {
  const { generation } = args;
  for (const [name, value] of args.texts) {
    if (value === null) await tx.deleteFrom('setting').where('name', '=', name).execute();
    else
      await tx
        .insertInto('setting')
        .values({ name, value, generation })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ value, generation }))
        .execute();
  }
}

/** A page of revisions, newest first. Throws a 400 refusal on a wrong cursor. */
export async function listRevisions(
  db: ReadDb | WriteTx,
  args: { limit: number; cursor?: string | undefined },
): Promise<{ items: RevisionRecord[]; next_cursor: string | null }> {
  let query = db.selectFrom('settings_revision').selectAll();
  if (args.cursor !== undefined) {
    const [generation = ''] = decodeCursor(args.cursor, 1);
    query = query.where('generation', '<', Number.parseInt(generation, 10) || 0);
  }
  const rows = await query
    .orderBy('generation', 'desc')
    .limit(args.limit + 1)
    .execute();
  const page = cutPage(rows, args.limit, (row) => [String(row.generation)]);
  const items = page.items.map((row) => ({
    id: row.id,
    generation: row.generation,
    createdAt: row.created_at,
    actor: { id: row.actor_id, name: row.actor_name },
    changes: JSON.parse(row.changes) as RecordedChange[],
  }));
  return { items, next_cursor: page.next_cursor };
}

/** Row of the data key: its proof, and the state of its replacement. */
export type KeyRow = Tables['data_key_proof'];

/** Returns the proof of the data key; null before the first start. */
export async function keyRow(db: ReadDb | WriteTx): Promise<KeyRow | null> {
  return (await db.selectFrom('data_key_proof').selectAll().executeTakeFirst()) ?? null;
}

/** Leaves the one that is there. */
export async function insertKeyProof(tx: WriteTx, kept: Pick<KeyRow, 'proof' | 'made_at'>): Promise<void> {
  await tx
    .insertInto('data_key_proof')
    .values({ id: 1, ...kept, next_proof: null, hash_secret: null, replacement: null })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

/** Changes the row while it has this proof; false when it has another one. */
export async function updateKeyRow(
  tx: WriteTx,
  proof: string,
  changed: Partial<Omit<KeyRow, 'id'>>,
): Promise<boolean> {
  const result = await tx
    .updateTable('data_key_proof')
    .set(changed)
    .where('proof', '=', proof)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}
