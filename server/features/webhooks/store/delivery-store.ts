import type { WebhookDeliveryState } from '../../../../shared/states/webhooks.ts';
import type { ReadDb, WriteTx } from '../../../db/database.ts';
import { afterCursor, cutPage } from '../../../db/keyset.ts';
import type { AttemptRow, DeliveryRow, DeliveryWithEvent, EventRow } from '../types.ts';

export interface DeliveryFilter {
  readonly ids?: readonly string[] | undefined;
  readonly state?: readonly WebhookDeliveryState[] | undefined;
  readonly endpoint_id?: string | undefined;
  readonly subject_id?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** False when the event was recorded before. */
export async function insertEvent(tx: WriteTx, row: EventRow): Promise<boolean> {
  const result = await tx
    .insertInto('webhook_event')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst();
  return Number(result.numInsertedOrUpdatedRows ?? 0) === 1;
}

export async function findEvent(db: ReadDb, id: string): Promise<EventRow | undefined> {
  return db.selectFrom('webhook_event').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Does nothing when the endpoint has a delivery of the event. */
export async function insertDelivery(tx: WriteTx, row: DeliveryRow): Promise<void> {
  await tx
    .insertInto('webhook_delivery')
    .values(row)
    .onConflict((conflict) => conflict.columns(['event_id', 'endpoint_id']).doNothing())
    .execute();
}

const selectDeliveries = (db: ReadDb) =>
  db
    .selectFrom('webhook_delivery')
    .innerJoin('webhook_event', 'webhook_event.id', 'webhook_delivery.event_id')
    .selectAll('webhook_delivery')
    .select(['webhook_event.type', 'webhook_event.subject_id', 'webhook_event.body']);

export async function findDelivery(db: ReadDb, id: string): Promise<DeliveryWithEvent | undefined> {
  return selectDeliveries(db).where('webhook_delivery.id', '=', id).executeTakeFirst();
}

/** Finds the waiting delivery of an endpoint whose next attempt comes first. */
export async function nextWaiting(db: ReadDb, endpointId: string): Promise<DeliveryWithEvent | undefined> {
  return selectDeliveries(db)
    .where('webhook_delivery.endpoint_id', '=', endpointId)
    .where('webhook_delivery.retry_at', 'is not', null)
    .orderBy('webhook_delivery.retry_at')
    .orderBy('webhook_delivery.id')
    .limit(1)
    .executeTakeFirst();
}

/** Guarded by the version: false when another change came first. */
export async function changeDelivery(
  tx: WriteTx,
  { id, version }: Pick<DeliveryRow, 'id' | 'version'>,
  changes: Partial<Omit<DeliveryRow, 'id' | 'version' | 'event_id' | 'endpoint_id'>> & { updated_at: string },
): Promise<boolean> {
  const result = await tx
    .updateTable('webhook_delivery')
    .set({ ...changes, version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Ends the deliveries that wait, of one endpoint or, with null, of all. `at` is an ISO time. */
export async function skipWaiting(
  tx: WriteTx,
  endpointId: string | null,
  problem: string,
  at: string,
): Promise<number> {
  const update = tx
    .updateTable('webhook_delivery')
    .set((eb) => ({
      state: 'skipped',
      problem,
      retry_at: null,
      updated_at: at,
      version: eb('version', '+', 1),
    }))
    .where('state', '=', 'waiting');
  const result = await (endpointId === null
    ? update
    : update.where('endpoint_id', '=', endpointId)
  ).executeTakeFirst();
  return Number(result.numUpdatedRows);
}

/** Moves the next attempts of an endpoint that would come before a time to that time (ISO 8601 UTC, as `at`). */
export async function postponeWaiting(
  tx: WriteTx,
  endpointId: string,
  until: string,
  at: string,
): Promise<void> {
  await tx
    .updateTable('webhook_delivery')
    .set((eb) => ({ retry_at: until, updated_at: at, version: eb('version', '+', 1) }))
    .where('endpoint_id', '=', endpointId)
    .where('state', '=', 'waiting')
    .where('retry_at', '<', until)
    .execute();
}

export async function insertAttempt(tx: WriteTx, row: AttemptRow): Promise<void> {
  await tx.insertInto('webhook_attempt').values(row).execute();
}

/** Newest first. */
export async function attemptsOf(db: ReadDb, deliveryId: string): Promise<AttemptRow[]> {
  return db
    .selectFrom('webhook_attempt')
    .selectAll()
    .where('delivery_id', '=', deliveryId)
    .orderBy('number', 'desc')
    .execute();
}

/** Newest first, keyset-paged on (occurred_at, id). Throws a 400 refusal on a wrong cursor. */
export async function listDeliveries(
  db: ReadDb,
  { ids, state, endpoint_id, subject_id, limit, cursor }: DeliveryFilter,
): Promise<{ items: DeliveryWithEvent[]; next_cursor: string | null }> {
  let query = selectDeliveries(db);
  if (ids !== undefined) query = query.where('webhook_delivery.id', 'in', ids);
  if (state !== undefined) query = query.where('webhook_delivery.state', 'in', state);
  if (endpoint_id !== undefined) query = query.where('webhook_delivery.endpoint_id', '=', endpoint_id);
  if (subject_id !== undefined) query = query.where('webhook_event.subject_id', '=', subject_id);
  if (cursor !== undefined)
    query = query.where(afterCursor(cursor, 'webhook_delivery.occurred_at', 'webhook_delivery.id'));
  const rows = await query
    .orderBy('webhook_delivery.occurred_at', 'desc')
    .orderBy('webhook_delivery.id', 'desc')
    .limit(limit + 1)
    .execute();
  return cutPage(rows, limit, (row) => [row.occurred_at, row.id]);
}

/** Counts the deliveries by state; states without any are left out. */
export async function countDeliveries(
  db: ReadDb,
): Promise<{ state: WebhookDeliveryState; deliveries: number }[]> {
  const rows = await db
    .selectFrom('webhook_delivery')
    .select((eb) => ['state', eb.fn.countAll<number | string>().as('deliveries')])
    .groupBy('state')
    .execute();
  return rows.map(({ state, deliveries }) => ({ state, deliveries: Number(deliveries) }));
}

/** Removes the deliveries of an endpoint with their attempts. */
export async function deleteDeliveriesOf(tx: WriteTx, endpointId: string): Promise<void> {
  const ids = tx.selectFrom('webhook_delivery').select('id').where('endpoint_id', '=', endpointId);
  await tx.deleteFrom('webhook_attempt').where('delivery_id', 'in', ids).execute();
  await tx.deleteFrom('webhook_delivery').where('endpoint_id', '=', endpointId).execute();
}

/** Removes deliveries that ended before a time (ISO 8601 UTC), with their attempts, at most `limit`. Returns how many. */
export async function deleteOldDeliveries(tx: WriteTx, before: string, limit: number): Promise<number> {
  const old = await tx
    .selectFrom('webhook_delivery')
    .select('id')
    .where('state', 'in', ['delivered', 'failed', 'skipped'])
    .where('occurred_at', '<', before)
    .where('updated_at', '<', before)
    .limit(limit)
    .execute();
  const ids = old.map(({ id }) => id);
  if (ids.length === 0) return 0;
  await tx.deleteFrom('webhook_attempt').where('delivery_id', 'in', ids).execute();
  await tx.deleteFrom('webhook_delivery').where('id', 'in', ids).execute();
  return ids.length;
}

/** Removes events of before a time (ISO 8601 UTC) that no delivery has, at most `limit`. Returns how many. */
export async function deleteOldEvents(tx: WriteTx, before: string, limit: number): Promise<number> {
  const old = await tx
    .selectFrom('webhook_event')
    .select('id')
    .where('occurred_at', '<', before)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('webhook_delivery')
            .select('webhook_delivery.id')
            .whereRef('webhook_delivery.event_id', '=', 'webhook_event.id'),
        ),
      ),
    )
    .limit(limit)
    .execute();
  const ids = old.map(({ id }) => id);
  if (ids.length > 0) await tx.deleteFrom('webhook_event').where('id', 'in', ids).execute();
  return ids.length;
}
