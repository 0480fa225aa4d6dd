import type { Capabilities } from '../../../db/capabilities.ts';
import type { ReadDb, WriteTx } from '../../../db/database.ts';
import type { EndpointRead, EndpointRow } from '../types.ts';

/** Lists the endpoints by their address. */
export async function listEndpoints(db: ReadDb): Promise<EndpointRow[]> {
  return db.selectFrom('webhook_endpoint').selectAll().orderBy('url').orderBy('id').execute();
}

/** Lists those that events are sent to, by id. */
export async function activeEndpoints(db: ReadDb): Promise<EndpointRow[]> {
  return db
    .selectFrom('webhook_endpoint')
    .selectAll()
    .where('enabled', '=', 1)
    .where('paused_reason', 'is', null)
    .orderBy('id')
    .execute();
}

export async function findEndpoint(db: ReadDb, id: string): Promise<EndpointRow | undefined> {
  return db.selectFrom('webhook_endpoint').selectAll().where('id', '=', id).executeTakeFirst();
}

/**
 * Finds an endpoint and keeps other transactions from adding deliveries to it, or ending its job, until this one ends. Where
 * one process has the database, its transactions are one after another anyway.
 */
export async function lockEndpoint(
  tx: WriteTx,
  { soleProcess }: Capabilities,
  id: string,
): Promise<EndpointRow | undefined> {
  const query = tx.selectFrom('webhook_endpoint').selectAll().where('id', '=', id);
  return (soleProcess ? query : query.forUpdate()).executeTakeFirst();
}

export async function countEndpoints(db: ReadDb): Promise<number> {
  const { endpoints } = await db
    .selectFrom('webhook_endpoint')
    .select((eb) => eb.fn.countAll<number | string>().as('endpoints'))
    .executeTakeFirstOrThrow();
  return Number(endpoints);
}

export async function insertEndpoint(tx: WriteTx, row: EndpointRow): Promise<void> {
  await tx.insertInto('webhook_endpoint').values(row).execute();
}

/** Moves the version on. False when the endpoint changed since that version, or is gone. */
export async function updateEndpoint(
  tx: WriteTx,
  { id, version }: EndpointRead,
  changes: Partial<Omit<EndpointRow, 'id' | 'version'>> & { updated_at: string },
): Promise<boolean> {
  const result = await tx
    .updateTable('webhook_endpoint')
    .set({ ...changes, version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Records the result of an attempt, which is no change of the endpoint. */
export async function recordHealth(
  tx: WriteTx,
  id: string,
  health: Partial<Pick<EndpointRow, 'failing_since' | 'last_accepted_at' | 'wait_until'>>,
): Promise<void> {
  await tx.updateTable('webhook_endpoint').set(health).where('id', '=', id).execute();
}

export async function deleteEndpoint(tx: WriteTx, id: string): Promise<void> {
  await tx.deleteFrom('webhook_endpoint').where('id', '=', id).execute();
}

/** Counts the active endpoints that have failed since before a time (ISO 8601 UTC), and those that are paused. */
export async function countTroubled(
  db: ReadDb,
  before: string,
): Promise<{ failing: number; paused: number }> {
  const rows = await db
    .selectFrom('webhook_endpoint')
    .select(['paused_reason'])
    .where('enabled', '=', 1)
    .where((eb) => eb.or([eb('paused_reason', 'is not', null), eb('failing_since', '<=', before)]))
    .execute();
  const paused = rows.filter(({ paused_reason }) => paused_reason !== null).length;
  return { failing: rows.length - paused, paused };
}
