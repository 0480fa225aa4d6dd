import type { DirectDeliveryDirection, DirectDeliveryState } from '../../../../shared/states/direct.ts';
import type { ReadDb, WriteTx } from '../../../db/database.ts';
import { afterCursor, cutPage } from '../../../db/keyset.ts';
import type { DeliveryRow } from '../types.ts';

export interface DeliveryFilter {
  readonly direction?: DirectDeliveryDirection | undefined;
  readonly state?: readonly Exclude<DirectDeliveryState, 'withdrawn'>[] | undefined;
  readonly partner_id?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Columns of a delivery that may change. */
type DeliveryChanges = Partial<
  Omit<DeliveryRow, 'message_id' | 'direction' | 'partner_id' | 'created_at' | 'updated_at'>
> & { readonly updated_at: string };

/** A delivery with the name and number of its partner. */
export type DeliveryOfPartner = DeliveryRow & {
  readonly organization: string;
  readonly fax_number: string;
};

/** A new delivery in which nothing is known but its id and partner. */
export const EMPTY_DELIVERY = {
  job_id: null,
  inbound_id: null,
  problem: null,
  manifest: null,
  manifest_signature: null,
  manifest_sha256: null,
  receipt: null,
  receipt_signature: null,
  sha256: null,
  size_bytes: null,
  pages: null,
  accepted_at: null,
} as const;

/** Inserts a delivery or a fence; false when its id was used before. Waits for a concurrent one of the same id. */
export async function insertDelivery(tx: WriteTx, row: DeliveryRow): Promise<boolean> {
  const result = await tx
    .insertInto('direct_delivery')
    .values(row)
    .onConflict((conflict) => conflict.columns(['message_id', 'direction']).doNothing())
    .executeTakeFirst();
  return Number(result.numInsertedOrUpdatedRows ?? 0) === 1;
}

export async function findDelivery(
  db: ReadDb,
  messageId: string,
  direction: DirectDeliveryDirection,
): Promise<DeliveryRow | undefined> {
  return db
    .selectFrom('direct_delivery')
    .selectAll()
    .where('message_id', '=', messageId)
    .where('direction', '=', direction)
    .executeTakeFirst();
}

/** Changes a delivery that has no receipt; one with a receipt never changes. False when nothing was changed. */
export async function settleDelivery(
  tx: WriteTx,
  { message_id, direction }: Pick<DeliveryRow, 'message_id' | 'direction'>,
  changes: DeliveryChanges,
): Promise<boolean> {
  const result = await tx
    .updateTable('direct_delivery')
    .set(changes)
    .where('message_id', '=', message_id)
    .where('direction', '=', direction)
    .where('receipt', 'is', null)
    .executeTakeFirst();
  return Number(result.numUpdatedRows) === 1;
}

/** Newest first, with the partners; fences are left out. Throws a 400 refusal on a wrong cursor. */
export async function listDeliveries(
  db: ReadDb,
  { direction, state, partner_id, limit, cursor }: DeliveryFilter,
): Promise<{ items: DeliveryOfPartner[]; next_cursor: string | null }> {
  let query = db
    .selectFrom('direct_delivery')
    .innerJoin('direct_partner', 'direct_partner.id', 'direct_delivery.partner_id')
    .selectAll('direct_delivery')
    .select(['direct_partner.organization', 'direct_partner.fax_number'])
    .where('direct_delivery.state', '!=', 'withdrawn');
  if (direction !== undefined) query = query.where('direct_delivery.direction', '=', direction);
  if (state !== undefined) query = query.where('direct_delivery.state', 'in', state);
  if (partner_id !== undefined) query = query.where('direct_delivery.partner_id', '=', partner_id);
  if (cursor !== undefined)
    query = query.where(afterCursor(cursor, 'direct_delivery.created_at', 'direct_delivery.message_id'));
  const rows = await query
    .orderBy('direct_delivery.created_at', 'desc')
    .orderBy('direct_delivery.message_id', 'desc')
    .limit(limit + 1)
    .execute();
  return cutPage(rows, limit, (row) => [row.created_at, row.message_id]);
}

/** Removes the fences that were set before an ISO time. Returns their number. */
export async function removeFences(tx: WriteTx, before: string): Promise<number> {
  const result = await tx
    .deleteFrom('direct_delivery')
    .where('state', '=', 'withdrawn')
    .where('updated_at', '<', before)
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}
