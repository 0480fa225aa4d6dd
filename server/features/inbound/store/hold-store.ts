import type { ReadDb } from '../../../db/database.ts';
import { coveredBy, type HoldColumns, notCoveredBy } from '../../../db/hold-condition.ts';
import type { HoldScope } from '../../../platform/hold-scope.ts';

const COLUMNS: HoldColumns = { numbers: ['from_number', 'to_number'], time: 'received_at', caseId: null };

/** Returns the condition that one of the holds covers a received fax. */
export const underHold = (holds: readonly HoldScope[]) => coveredBy(holds, COLUMNS);

/** Returns the condition that no hold covers a received fax. */
export const underNoHold = (holds: readonly HoldScope[]) => notCoveredBy(holds, COLUMNS);

/** Counts the faxes that a hold covers. */
export async function countCovered(db: ReadDb, hold: HoldScope): Promise<number> {
  const { n } = await db
    .selectFrom('inbound_fax')
    .select((eb) => eb.fn.countAll().as('n'))
    .where(underHold([hold]))
    .executeTakeFirstOrThrow();
  return Number(n);
}

/** Counts the documents of a hold that no other one covers, of faxes that were received before a time. */
export async function countDue(
  db: ReadDb,
  { hold, others, before }: { hold: HoldScope; others: readonly HoldScope[]; before: string },
): Promise<number> {
  const { n } = await db
    .selectFrom('inbound_fax')
    .select((eb) => eb.fn.countAll().as('n'))
    .where('document', 'is not', null)
    .where('received_at', '<', before)
    .where(underHold([hold]))
    .where(underNoHold(others))
    .executeTakeFirstOrThrow();
  return Number(n);
}
