import { sql } from 'kysely';
import type { Capabilities } from '../../../db/capabilities.ts';
import type { ReadDb, WriteTx } from '../../../db/database.ts';
import type { CostReserveTable } from '../../../db/schema/routing.ts';

export type ReserveRow = CostReserveTable;

/** Principal id for the sums of the installation. */
export const INSTALLATION_TOTAL = '';

/**
 * Locks spending until the end of the transaction, so that two gateways cannot exceed a limit together. Does nothing
 * where one process has the database, since its transactions run one after another.
 */
export async function lockSpending(tx: WriteTx, { soleProcess }: Capabilities): Promise<void> {
  if (soleProcess) return;
  await sql`select pg_advisory_xact_lock(hashtextextended(current_schema() || ' spending', 0))`.execute(tx);
}

/** Amounts to add to a day, for the installation and for the sender, in millionths. */
interface TotalChange {
  readonly day: string;
  readonly created_by: string;
  readonly currency: string;
  readonly spent?: bigint;
  readonly reserved?: bigint;
  readonly attempts?: number;
}

export async function addToTotals(tx: WriteTx, change: TotalChange): Promise<void> {
  const { day, created_by, currency, spent = 0n, reserved = 0n, attempts = 0 } = change;
  // Passed as text, so that neither database nor driver rounds the number.
  const whole = (amount: bigint) => sql<string>`cast(${String(amount)} as bigint)`;
  await tx
    .insertInto('cost_total')
    .values(
      [INSTALLATION_TOTAL, created_by].map((principal_id) => ({
        principal_id,
        day,
        currency,
        spent: whole(spent),
        reserved: whole(reserved),
        attempts,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['principal_id', 'day', 'currency']).doUpdateSet((eb) => ({
        spent: sql<string>`cost_total.spent + ${whole(spent)}`,
        reserved: sql<string>`cost_total.reserved + ${whole(reserved)}`,
        attempts: eb('cost_total.attempts', '+', attempts),
      })),
    )
    .execute();
}

export async function findReserve(db: ReadDb, jobId: string): Promise<ReserveRow | undefined> {
  return db.selectFrom('cost_reserve').selectAll().where('job_id', '=', jobId).executeTakeFirst();
}

export async function insertReserve(tx: WriteTx, row: ReserveRow): Promise<void> {
  await tx.insertInto('cost_reserve').values(row).execute();
}

/** Removes and returns a reserve; undefined when there was none. */
export async function removeReserve(tx: WriteTx, jobId: string): Promise<ReserveRow | undefined> {
  return tx.deleteFrom('cost_reserve').where('job_id', '=', jobId).returningAll().executeTakeFirst();
}

/**
 * Totals of a day and its month, in millionths, for one principal in one currency, which is empty for unknown amounts.
 */
export interface TotalRow {
  readonly principal_id: string;
  readonly currency: string;
  readonly day_spent: bigint;
  readonly day_reserved: bigint;
  readonly day_attempts: number;
  readonly month_spent: bigint;
  readonly month_reserved: bigint;
  readonly month_attempts: number;
}

/** Returns the totals of the month of `day` for these principals, at most 31 rows of each and each currency. */
export async function totalsOf(
  db: ReadDb,
  principalIds: readonly string[],
  day: string,
): Promise<TotalRow[]> {
  if (principalIds.length === 0) return [];
  const month = day.slice(0, 7);
  const sum = (column: 'spent' | 'reserved' | 'attempts') =>
    sql<string>`cast(sum(${sql.ref(column)}) as text)`;
  const ofDay = (column: 'spent' | 'reserved' | 'attempts') =>
    sql<string>`cast(coalesce(sum(case when day = ${day} then ${sql.ref(column)} end), 0) as text)`;
  const rows = await db
    .selectFrom('cost_total')
    .select([
      'principal_id',
      'currency',
      ofDay('spent').as('day_spent'),
      ofDay('reserved').as('day_reserved'),
      ofDay('attempts').as('day_attempts'),
      sum('spent').as('month_spent'),
      sum('reserved').as('month_reserved'),
      sum('attempts').as('month_attempts'),
    ])
    .where('principal_id', 'in', principalIds)
    .where('day', '>=', `${month}-01`)
    .where('day', '<=', `${month}-31`)
    .groupBy(['principal_id', 'currency'])
    .orderBy('currency')
    .execute();
  return rows.map((row) => ({
    principal_id: row.principal_id,
    currency: row.currency,
    day_spent: BigInt(row.day_spent),
    day_reserved: BigInt(row.day_reserved),
    day_attempts: Number(row.day_attempts),
    month_spent: BigInt(row.month_spent),
    month_reserved: BigInt(row.month_reserved),
    month_attempts: Number(row.month_attempts),
  }));
}
