import type { ReadDb, WriteTx } from '../../../db/database.ts';
import { prepareInsert, prepareQuery, prepareUpdate, type ValueOf } from '../../../db/prepared-query.ts';
import type { CostRow } from '../types.ts';

export const insertCost = prepareInsert(
  (tx) => tx.insertInto('attempt_cost'),
  (insert) => insert.onConflict((conflict) => conflict.column('attempt_id').doNothing()),
);

const costOfAttempt = prepareQuery((db: ReadDb, value: ValueOf<{ attemptId: string }>) =>
  db.selectFrom('attempt_cost').selectAll().where('attempt_id', '=', value('attemptId')),
);

export async function findCost(db: ReadDb, attemptId: string): Promise<CostRow | undefined> {
  return (await costOfAttempt(db, { attemptId }))[0];
}

/** Lists the costs of these faxes, one row for each attempt in their order. */
export async function costsOfJobs(db: ReadDb, jobIds: readonly string[]): Promise<CostRow[]> {
  if (jobIds.length === 0) return [];
  return db
    .selectFrom('attempt_cost')
    .selectAll()
    .where('job_id', 'in', jobIds)
    .orderBy('attempt_id')
    .execute();
}

const updateRevision = prepareUpdate('attempt_cost', ['attempt_id', 'revision']);

/** Changes a cost; false when it was changed since it was read. */
export async function changeCost(
  tx: WriteTx,
  before: CostRow,
  change: Partial<Pick<CostRow, 'charged' | 'charged_currency' | 'certainty' | 'state' | 'plan_pages'>>,
): Promise<boolean> {
  const changed = await updateRevision(tx, { ...change, revision: before.revision + 1 }, before);
  return changed.length > 0;
}

/** Pages of a month that the monthly fee of a card has paid for. */
export async function planPages(db: ReadDb, card: { card_id: string; month: string }): Promise<number> {
  const row = await db
    .selectFrom('cost_plan')
    .select('pages')
    .where('card_id', '=', card.card_id)
    .where('month', '=', card.month)
    .executeTakeFirst();
  return row?.pages ?? 0;
}

/** The same of every card, by its id. */
export async function planPagesOf(db: ReadDb, month: string): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('cost_plan')
    .select(['card_id', 'pages'])
    .where('month', '=', month)
    .execute();
  return new Map(rows.map(({ card_id, pages }) => [card_id, pages]));
}

export async function addPlanPages(
  tx: WriteTx,
  { card_id, month, pages }: { card_id: string; month: string; pages: number },
): Promise<void> {
  if (pages === 0) return;
  await tx
    .insertInto('cost_plan')
    .values({ card_id, month, pages })
    .onConflict((conflict) =>
      conflict
        .columns(['card_id', 'month'])
        .doUpdateSet((eb) => ({ pages: eb('cost_plan.pages', '+', pages) })),
    )
    .execute();
}
