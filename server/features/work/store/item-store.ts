import { sql } from 'kysely';
import { WORK_STATES, type WorkState } from '../../../../shared/states/work.ts';
import type { Capabilities } from '../../../db/capabilities.ts';
import type { ReadDb, WriteTx } from '../../../db/database.ts';
import { prepareInsert, prepareQuery, prepareUpdate, type ValueOf } from '../../../db/prepared-query.ts';
import { insertRows } from '../../../db/staging.ts';
import type { ItemRow } from '../types.ts';
import { type KeyRange, rangesOf } from './list-key.ts';

export const insertItem = prepareInsert((tx) => tx.insertInto('work_item'));

export async function insertItems(tx: WriteTx, rows: readonly ItemRow[]): Promise<void> {
  await insertRows(tx, 'work_item', rows as never);
}

const itemById = prepareQuery((db: ReadDb, value: ValueOf<{ id: string }>) =>
  db.selectFrom('work_item').selectAll().where('id', '=', value('id')),
);

export async function findItem(db: ReadDb, id: string): Promise<ItemRow | undefined> {
  return (await itemById(db, { id }))[0];
}

export async function findItemOfFax(db: ReadDb, faxId: string): Promise<ItemRow | undefined> {
  return db.selectFrom('work_item').selectAll().where('inbound_fax_id', '=', faxId).executeTakeFirst();
}

/** The items of received faxes, by the id of the fax. */
export async function itemIdsOf(db: ReadDb, faxIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (faxIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('work_item')
    .select(['id', 'inbound_fax_id'])
    .where('inbound_fax_id', 'in', faxIds)
    .execute();
  return new Map(rows.map((row) => [row.inbound_fax_id, row.id]));
}

/** Fields that decide who may see an item, with the time its document came. */
type ItemResource = Pick<ItemRow, 'id' | 'inbound_fax_id' | 'mailbox_id' | 'available_at'>;

export async function findItemResources(
  db: ReadDb,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ItemResource>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('work_item')
    .select(['id', 'inbound_fax_id', 'mailbox_id', 'available_at'])
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * Documents with these bytes are filed one after another, until the end of each transaction, so that one sees the other. Where
 * one process has the database, its transactions do that already.
 */
export async function lockDocument(
  tx: WriteTx,
  { soleProcess }: Capabilities,
  sha256: string,
): Promise<void> {
  if (soleProcess) return;
  const name = sql`current_schema() || ' work item ' || ${sha256}::text`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx);
}

/** The first item of a document with these bytes. */
export async function firstItemWith(db: ReadDb, sha256: string): Promise<string | null> {
  const row = await db
    .selectFrom('work_item')
    .select('id')
    .where('sha256', '=', sha256)
    .orderBy('available_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** The first items of documents with these bytes, by digest. */
export async function firstItemsWith(db: ReadDb, digests: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  if (digests.length === 0) return found;
  const rows = await db
    .selectFrom('work_item')
    .select(['id', 'sha256'])
    .where('sha256', 'in', [...new Set(digests)])
    .orderBy('available_at')
    .orderBy('id')
    .execute();
  for (const { id, sha256 } of rows) if (!found.has(sha256)) found.set(sha256, id);
  return found;
}

/** Snapshot of an item at the time it was read. */
type ItemVersion = Pick<ItemRow, 'version' | 'history_count'>;

const updateRead = prepareUpdate('work_item', ['id', 'version', 'history_count']);

/** The only statement that changes an item. False when it, or its history, was changed since. */
export async function updateItem(tx: WriteTx, row: ItemRow, before: ItemVersion): Promise<boolean> {
  const { id, ...values } = row;
  const { version, history_count } = before;
  return (await updateRead(tx, values, { id, version, history_count })).length === 1;
}

/** Items whose due time has passed without that being recorded, the first due first. */
export async function listLapsed(db: ReadDb, args: { now: string; limit: number }): Promise<string[]> {
  const rows = await db
    .selectFrom('work_item')
    .select('id')
    .where('awaited_until', 'is not', null)
    .where('awaited_until', '<=', args.now)
    .orderBy('awaited_until')
    .orderBy('id')
    .limit(args.limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** All items by state. The key of the lists begins with it, so that its index alone is read. */
export async function countByState(db: ReadDb): Promise<Record<WorkState, number>> {
  const counts = { open: 0, acknowledged: 0, done: 0 };
  for (const state of WORK_STATES)
    for (const [from, until] of rangesOf([state])) {
      counts[state] += await countInRange(db, [from, until]);
    }
  return counts;
}

/** Counts the items of a range of keys. */
export async function countInRange(db: ReadDb, [from, until]: KeyRange): Promise<number> {
  const { count } = await db
    .selectFrom('work_item')
    .select((row) => row.fn.countAll<number | string>().as('count'))
    .where('list_key', '>=', from)
    .where('list_key', '<', until)
    .executeTakeFirstOrThrow();
  return Number(count);
}
