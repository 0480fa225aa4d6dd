import type { Capabilities } from '../../../db/capabilities.ts';
import type { ReadDb, WriteTx } from '../../../db/database.ts';
import type { ArchiveOfFax } from '../../../platform/archive-of-fax.ts';
import type { FaxRow } from '../types.ts';

/** Returns those of the ids that belong to a fax. */
export async function existingAmong(db: ReadDb, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db.selectFrom('inbound_fax').select('id').where('id', 'in', ids).execute();
  return new Set(rows.map(({ id }) => id));
}

/** Lets nobody change faxes until the end of the transaction. Where one process has the database, its transactions do that already. */
export async function lockFaxes(
  tx: WriteTx,
  { soleProcess }: Capabilities,
  ids: readonly string[],
): Promise<void> {
  if (soleProcess || ids.length === 0) return;
  await tx.selectFrom('inbound_fax').select('id').where('id', 'in', ids).orderBy('id').forUpdate().execute();
}

/** Counts the entries of the evidence of faxes. */
export async function evidenceCounts(
  db: ReadDb,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('inbound_evidence')
    .select((eb) => ['fax_id', eb.fn.countAll<number | string>().as('entries')])
    .where('fax_id', 'in', ids)
    .groupBy('fax_id')
    .execute();
  return new Map(rows.map(({ fax_id, entries }) => [fax_id, Number(entries)]));
}

/** Deletes faxes with all that belongs to them, a few dozen at most, and keeps what their providers call them. */
export async function deleteFaxes(
  tx: WriteTx,
  faxes: readonly FaxRow[],
  { year, month }: ArchiveOfFax,
  removedAt: string,
): Promise<void> {
  if (faxes.length === 0) return;
  const ids = faxes.map(({ id }) => id);
  await tx
    .insertInto('inbound_removed')
    .values(
      faxes.map(({ id, provider_account, provider_fax_id, received_at }) => ({
        provider_account,
        provider_fax_id,
        fax_id: id,
        received_at,
        year,
        month,
        removed_at: removedAt,
      })),
    )
    .execute();
  for (const table of ['inbound_read', 'inbound_evidence', 'inbound_original'] as const)
    await tx.deleteFrom(table).where('fax_id', 'in', ids).execute();
  await tx.deleteFrom('inbound_fax').where('id', 'in', ids).execute();
}

/** Returns those ids at the provider whose faxes were removed. */
export async function removedAmong(
  db: ReadDb,
  account: string,
  providerIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (providerIds.length === 0) return new Set();
  const rows = await db
    .selectFrom('inbound_removed')
    .select('provider_fax_id')
    .where('provider_account', '=', account)
    .where('provider_fax_id', 'in', providerIds)
    .execute();
  return new Set(rows.map(({ provider_fax_id }) => provider_fax_id));
}

/** Returns the archive with which a fax was removed; undefined for any other id. */
export async function archiveOfRemoved(db: ReadDb, id: string): Promise<ArchiveOfFax | undefined> {
  return db
    .selectFrom('inbound_removed')
    .select(['year', 'month'])
    .where('fax_id', '=', id)
    .limit(1)
    .executeTakeFirst();
}

/** Returns true for a fax that was removed with an archive. */
export async function isRemoved(db: ReadDb, faxId: string): Promise<boolean> {
  const row = await db
    .selectFrom('inbound_removed')
    .select('fax_id')
    .where('fax_id', '=', faxId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Counts the faxes that were recorded in a span, ISO 8601 UTC, without test faxes. */
export async function countReceived(db: ReadDb, since: string, until: string): Promise<number> {
  const { count } = await db
    .selectFrom('inbound_fax')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('received_at', '>=', since)
    .where('received_at', '<', until)
    .where('test', '=', 0)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Counts the faxes that were recorded in a span, ISO 8601 UTC, and removed with an archive. */
export async function countRemoved(db: ReadDb, since: string, until: string): Promise<number> {
  const { count } = await db
    .selectFrom('inbound_removed')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('received_at', '>=', since)
    .where('received_at', '<', until)
    .executeTakeFirstOrThrow();
  return Number(count);
}
