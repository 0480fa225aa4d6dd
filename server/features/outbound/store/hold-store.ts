import type { ReadDb } from '../../../db/database.ts';
import { coveredBy, type HoldColumns, notCoveredBy } from '../../../db/hold-condition.ts';
import type { HoldScope } from '../../../platform/hold-scope.ts';

const COLUMNS: HoldColumns = { numbers: ['to_number'], time: 'created_at', caseId: 'case_id' };

/** Returns the condition that one of the holds covers a sent fax. */
export const underHold = (holds: readonly HoldScope[]) => coveredBy(holds, COLUMNS);

/** Returns the condition that no hold covers a sent fax. */
export const underNoHold = (holds: readonly HoldScope[]) => notCoveredBy(holds, COLUMNS);

/** Counts the faxes that a hold covers. */
export async function countCovered(db: ReadDb, hold: HoldScope): Promise<number> {
  const { n } = await db
    .selectFrom('fax_job')
    .select((eb) => eb.fn.countAll().as('n'))
    .where(underHold([hold]))
    .executeTakeFirstOrThrow();
  return Number(n);
}

/** Counts the documents of a hold that no other one covers, of faxes that ended before a time. */
export async function countDue(
  db: ReadDb,
  { hold, others, endedBefore }: { hold: HoldScope; others: readonly HoldScope[]; endedBefore: string },
): Promise<number> {
  const { n } = await db
    .selectFrom('fax_job')
    .select((eb) => eb.fn.countAll().as('n'))
    .where('delivery_state', 'in', ['success', 'failed', 'cancelled'])
    .where('updated_at', '<', endedBefore)
    .where('artifact', 'is not', null)
    .where(underHold([hold]))
    .where(underNoHold(others))
    .executeTakeFirstOrThrow();
  return Number(n);
}
