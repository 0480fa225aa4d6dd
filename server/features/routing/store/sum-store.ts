import { sql } from 'kysely';
import type { ReadDb, WriteTx } from '../../../db/database.ts';
import type { CostSumTable } from '../../../db/schema/routing.ts';
import type { CostRow } from '../types.ts';
import { addToTotals } from './total-store.ts';

/** One attempt more or less, of an amount in millionths or of an unknown one, which has no currency. */
interface SumChange {
  readonly amount: bigint;
  readonly currency: string;
  readonly attempts: 1 | -1;
}

/** Adds the change of an attempt to the sums of its day, of its number, and of spending limits. */
export async function addToSums(
  tx: WriteTx,
  row: Pick<CostRow, 'day' | 'backend' | 'route_id' | 'mailbox_id' | 'created_by' | 'country' | 'to_number'>,
  { amount, currency, attempts }: SumChange,
): Promise<void> {
  const { day, backend, created_by, country, to_number } = row;
  // Passed as text, so that neither database nor driver rounds the number.
  const added = sql<string>`cast(${String(amount)} as bigint)`;
  await tx
    .insertInto('cost_sum')
    .values({
      day,
      backend,
      route_id: row.route_id ?? '',
      mailbox_id: row.mailbox_id ?? '',
      created_by,
      country,
      currency,
      amount: added,
      attempts,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['day', 'backend', 'route_id', 'mailbox_id', 'created_by', 'country', 'currency'])
        .doUpdateSet((eb) => ({
          amount: sql<string>`cost_sum.amount + ${added}`,
          attempts: eb('cost_sum.attempts', '+', attempts),
        })),
    )
    .execute();
  await tx
    .insertInto('cost_number')
    .values({ month: day.slice(0, 7), to_number, currency, amount: added, attempts })
    .onConflict((conflict) =>
      conflict.columns(['month', 'to_number', 'currency']).doUpdateSet((eb) => ({
        amount: sql<string>`cost_number.amount + ${added}`,
        attempts: eb('cost_number.attempts', '+', attempts),
      })),
    )
    .execute();
  await addToTotals(tx, { day, created_by, currency, spent: amount, attempts });
}

/** Dimensions of sums, with their columns; faxes of no delivery route are grouped by their backend. */
const SUM_COLUMNS = {
  day: 'day',
  route: 'route_id',
  mailbox: 'mailbox_id',
  person: 'created_by',
  country: 'country',
} as const satisfies Record<string, keyof CostSumTable>;
type SumBy = keyof typeof SUM_COLUMNS;

/** Sum in millionths; for unknown amounts the currency is empty, and `attempts` is their number. */
export interface SumRow {
  readonly key: string;
  readonly currency: string;
  readonly amount: bigint;
  readonly attempts: number;
}

/** Sums of the days from `from` to `to`, both included, by key and currency. */
export async function sumsBy(
  db: ReadDb,
  by: SumBy,
  { from, to }: { from: string; to: string },
): Promise<SumRow[]> {
  const column = SUM_COLUMNS[by];
  const key =
    by === 'route'
      ? sql<string>`case when route_id = '' then backend else route_id end`
      : sql<string>`${sql.ref(column)}`;
  const rows = await db
    .selectFrom('cost_sum')
    .select([
      key.as('key'),
      'currency',
      sql<string>`cast(sum(amount) as text)`.as('amount'),
      sql<string>`cast(sum(attempts) as text)`.as('attempts'),
    ])
    .where('day', '>=', from)
    .where('day', '<=', to)
    .groupBy([key, 'currency'])
    .having(sql<boolean>`sum(attempts) > 0`)
    .execute();
  return rows.map((row) => ({
    key: row.key,
    currency: row.currency,
    amount: BigInt(row.amount),
    attempts: Number(row.attempts),
  }));
}

/** The numbers of a month that cost most in a currency, dearest first. */
export async function listCostliest(
  db: ReadDb,
  { month, currency, limit }: { month: string; currency: string; limit: number },
): Promise<SumRow[]> {
  const rows = await db
    .selectFrom('cost_number')
    .select(['to_number', sql<string>`cast(amount as text)`.as('amount'), 'attempts'])
    .where('month', '=', month)
    .where('currency', '=', currency)
    .where('attempts', '>', 0)
    .orderBy('cost_number.amount', 'desc')
    .orderBy('to_number', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    key: row.to_number,
    currency,
    amount: BigInt(row.amount),
    attempts: row.attempts,
  }));
}
