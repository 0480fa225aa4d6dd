import type { ReadDb, WriteTx } from '../../../db/database.ts';
import type { InboundEvidenceTable, SeenNotificationTable } from '../../../db/schema/inbound.ts';
import { insertRows } from '../../../db/staging.ts';
import type { FaxRow } from '../types.ts';

/** Returns those of the ids that a received fax has, or had that was removed with an archive. */
export async function knownFaxes(db: ReadDb, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db.selectFrom('inbound_fax').select('id').where('id', 'in', ids).execute();
  const removed = await db
    .selectFrom('inbound_removed')
    .select('fax_id')
    .where('fax_id', 'in', ids)
    .execute();
  return new Set([...rows.map(({ id }) => id), ...removed.map(({ fax_id }) => fax_id)]);
}

/** Finds the faxes of an account with these ids at the provider, by that id. */
export async function earlierFaxesOf(
  db: ReadDb,
  account: string,
  providerIds: readonly string[],
): Promise<Map<string, FaxRow>> {
  if (providerIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('inbound_fax')
    .selectAll()
    .where('provider_account', '=', account)
    .where('provider_fax_id', 'in', providerIds)
    .execute();
  return new Map(rows.map((row) => [row.provider_fax_id, row]));
}

export async function insertEarlierFaxes(
  tx: WriteTx,
  faxes: readonly FaxRow[],
  evidence: readonly InboundEvidenceTable[],
): Promise<void> {
  await insertRows(tx, 'inbound_fax', faxes as never);
  await insertRows(tx, 'inbound_evidence', evidence as never);
}

/** Returns those of the ids that a seen notification has. */
export async function knownNotifications(db: ReadDb, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db.selectFrom('seen_notification').select('id').where('id', 'in', ids).execute();
  return new Set(rows.map(({ id }) => id));
}

export async function insertNotifications(
  tx: WriteTx,
  rows: readonly SeenNotificationTable[],
): Promise<void> {
  await insertRows(tx, 'seen_notification', rows as never);
}

/** Returns the time at which an earlier release saw a notification of that fax; null when it saw none. */
export async function seenAt(db: ReadDb, backend: string, providerId: string): Promise<string | null> {
  const row = await db
    .selectFrom('seen_notification')
    .select('seen_at')
    .where('backend', '=', backend)
    .where('provider_fax_id', '=', providerId)
    .orderBy('seen_at')
    .limit(1)
    .executeTakeFirst();
  return row?.seen_at ?? null;
}
