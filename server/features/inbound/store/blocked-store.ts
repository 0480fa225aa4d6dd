import type { ExpressionBuilder } from 'kysely';
import type { ReadDb, WriteTx } from '../../../db/database.ts';
import type { BlockedSenderTable, InboundTables } from '../../../db/schema/inbound.ts';
import type { FaxRow, Scope } from '../types.ts';

export type BlockedSenderRow = BlockedSenderTable;

export async function findBlocked(db: ReadDb, number: string): Promise<BlockedSenderRow | undefined> {
  return db.selectFrom('inbound_blocked_sender').selectAll().where('number', '=', number).executeTakeFirst();
}

/** Returns true when faxes from the number go to Junk; false for null, a number that nobody reported. */
export async function isBlocked(db: ReadDb, number: string | null): Promise<boolean> {
  return number !== null && (await findBlocked(db, number)) !== undefined;
}

/** Blocks a sender. Returns false when the number was blocked before. */
export async function insertBlocked(tx: WriteTx, row: BlockedSenderRow): Promise<boolean> {
  const result = await tx
    .insertInto('inbound_blocked_sender')
    .values(row)
    .onConflict((conflict) => conflict.column('number').doNothing())
    .executeTakeFirst();
  return Number(result.numInsertedOrUpdatedRows ?? 0) === 1;
}

/** Returns false when the number was not blocked. */
export async function deleteBlocked(tx: WriteTx, number: string): Promise<boolean> {
  const result = await tx
    .deleteFrom('inbound_blocked_sender')
    .where('number', '=', number)
    .executeTakeFirst();
  return result.numDeletedRows === 1n;
}

/** Lists the blocked senders, the last one blocked first. */
export async function listBlocked(db: ReadDb, limit: number): Promise<BlockedSenderRow[]> {
  return db
    .selectFrom('inbound_blocked_sender')
    .selectAll()
    .orderBy('blocked_at', 'desc')
    .orderBy('number')
    .limit(limit)
    .execute();
}

export async function countBlocked(db: ReadDb): Promise<number> {
  const { count } = await db
    .selectFrom('inbound_blocked_sender')
    .select((row) => row.fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Counts the faxes in Junk by the number of their sender, of those in the scope. */
export async function countJunkBySender(
  db: ReadDb,
  scope: Scope,
  numbers: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (numbers.length === 0) return new Map();
  const rows = await db
    .selectFrom('inbound_fax')
    .select((row) => ['from_number', row.fn.countAll<number | string>().as('count')])
    .where((eb) => eb('junk', '=', eb.lit(1)))
    .where('from_number', 'in', numbers)
    .where(isIn(scope))
    .groupBy('from_number')
    .execute();
  return new Map(rows.map(({ from_number, count }) => [from_number ?? '', Number(count)]));
}

/** Lists the faxes in Junk that came from a number, newest first, of those in the scope. */
export async function listJunkFrom(
  db: ReadDb,
  scope: Scope,
  { number, limit }: { number: string; limit: number },
): Promise<FaxRow[]> {
  return db
    .selectFrom('inbound_fax')
    .selectAll()
    .where('from_number', '=', number)
    .where((eb) => eb('junk', '=', eb.lit(1)))
    .where(isIn(scope))
    .orderBy('received_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

function isIn({ everything, mailboxIds, documentIds }: Scope) {
  return (eb: ExpressionBuilder<InboundTables, 'inbound_fax'>) =>
    everything
      ? eb.lit(true)
      : eb.or([
          ...(mailboxIds.length > 0 ? [eb('mailbox_id', 'in', mailboxIds)] : []),
          ...(documentIds.length > 0 ? [eb('id', 'in', documentIds)] : []),
        ]);
}
