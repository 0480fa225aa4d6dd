import type { WriteTx } from '../../db/database.ts';

/** Request for the lease of the daily backup; the times are stored times. */
interface LeaseRequest {
  readonly holder: string;
  readonly now: string;
  readonly until: string;
}

/**
 * Takes the lease. False while another gateway has it. A lease that ends later than a new one would was issued by a
 * clock that has been set back since, and counts as expired.
 */
export async function takeBackupLease(tx: WriteTx, { holder, now, until }: LeaseRequest): Promise<boolean> {
  const own = { holder, until };
  const row = await tx
    .insertInto('backup_lease')
    .values({ key: 'daily', ...own })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet(own)
        .where((at) =>
          at.or([
            at('backup_lease.holder', '=', holder),
            at('backup_lease.until', '<=', now),
            at('backup_lease.until', '>', until),
          ]),
        ),
    )
    .returning('holder')
    .executeTakeFirst();
  return row !== undefined;
}

export async function releaseBackupLease(tx: WriteTx, holder: string): Promise<void> {
  await tx.deleteFrom('backup_lease').where('holder', '=', holder).execute();
}
