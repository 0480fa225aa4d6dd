import type { ReadDb, WriteTx } from '../../../db/database.ts';
import type { LineMemoryRow } from '../types.ts';

/** Returns line memories by E.164 number, including expired ones. */
export async function lineMemories(
  db: ReadDb,
  numbers: readonly string[],
): Promise<Map<string, LineMemoryRow>> {
  if (numbers.length === 0) return new Map();
  const rows = await db.selectFrom('line_memory').selectAll().where('to_number', 'in', numbers).execute();
  return new Map(rows.map((row) => [row.to_number, row]));
}

/** Replaces the earlier memory of the number. */
export async function saveLineMemory(tx: WriteTx, row: LineMemoryRow): Promise<void> {
  const { to_number: _number, ...facts } = row;
  await tx
    .insertInto('line_memory')
    .values(row)
    .onConflict((conflict) => conflict.column('to_number').doUpdateSet(facts))
    .execute();
}

/** False when there was none. */
export async function removeLineMemory(tx: WriteTx, number: string): Promise<boolean> {
  const result = await tx.deleteFrom('line_memory').where('to_number', '=', number).executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** `at`: ISO 8601 UTC. */
export async function removeExpired(tx: WriteTx, at: string): Promise<void> {
  await tx.deleteFrom('line_memory').where('expires_at', '<=', at).execute();
}
