import { sql } from 'kysely';
import type { Backend } from '../../../../shared/backends.ts';
import type { ReadDb, WriteTx } from '../../../db/database.ts';
import { prepareQuery, type ValueOf } from '../../../db/prepared-query.ts';

const updateReceived = prepareQuery((tx: WriteTx, value: ValueOf<{ attemptId: string }>) =>
  tx
    .updateTable('fax_attempt')
    .set({ callback_result: 'heard' })
    .where((eb) =>
      eb.or([
        eb('id', '=', value('attemptId')),
        eb('call_id', '=', (own) =>
          own
            .selectFrom('fax_attempt as own')
            .select('own.call_id')
            .where('own.id', '=', value('attemptId'))
            .where('own.call_first_page', 'is not', null),
        ),
      ]),
    )
    .where('callback_result', 'is', null),
);

/** A genuine callback came for the attempt, and so for all of its call. */
export async function markCallbackReceived(tx: WriteTx, attemptId: string): Promise<void> {
  await updateReceived(tx, { attemptId });
}

/** Marks the attempts that ended before a time and for which the provider never called back. */
export async function markMissed(tx: WriteTx, args: { endedBefore: string }): Promise<number> {
  const result = await tx
    .updateTable('fax_attempt')
    .set({ callback_result: 'missed' })
    .where('callback_url', 'is not', null)
    .where('callback_result', 'is', null)
    .where('completed_at', '<', args.endedBefore)
    .where('phase', 'in', ['success', 'failed'])
    .where('provider_sid', 'is not', null)
    .executeTakeFirst();
  return Number(result.numUpdatedRows ?? 0);
}

/** Counts the missed callbacks by provider, with the time of the newest outcome. */
export async function countMissed(
  db: ReadDb,
): Promise<{ backend: Backend; count: number; last_at: string }[]> {
  const rows = await db
    .selectFrom('fax_attempt')
    // The index of missed callbacks holds for this value written out only.
    .where('callback_result', '=', sql.lit('missed'))
    .groupBy('backend')
    .select(['backend', (eb) => eb.fn.countAll<number | string>().as('count')])
    .select((eb) => eb.fn.max('completed_at').as('last_at'))
    .execute();
  return rows.map(({ backend, count, last_at }) => ({
    backend,
    count: Number(count),
    last_at: last_at ?? '',
  }));
}
