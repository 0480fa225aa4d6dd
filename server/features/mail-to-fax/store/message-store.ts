import type { MailToFaxState } from '../../../../shared/states/mail-to-fax.ts';
import type { ReadDb, WriteTx } from '../../../db/database.ts';
import { afterCursor, cutPage } from '../../../db/keyset.ts';
import type { MessagePlace, MessageRow } from '../types.ts';

export interface MessageFilter {
  readonly ids?: readonly string[] | undefined;
  readonly state?: readonly MailToFaxState[] | undefined;
  readonly fax_id?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export async function findMessage(db: ReadDb, place: MessagePlace): Promise<MessageRow | undefined> {
  return db
    .selectFrom('mail_message')
    .selectAll()
    .where('account', '=', place.account)
    .where('uid_validity', '=', place.uid_validity)
    .where('uid', '=', place.uid)
    .executeTakeFirst();
}

/** The message that became a fax and bears the same Message-ID of the same sender. */
export async function findAccepted(db: ReadDb, identity: string): Promise<MessageRow | undefined> {
  return db
    .selectFrom('mail_message')
    .selectAll()
    .where('identity', '=', identity)
    .where('state', '=', 'accepted')
    .executeTakeFirst();
}

export async function insertMessage(tx: WriteTx, row: MessageRow): Promise<void> {
  await tx.insertInto('mail_message').values(row).execute();
}

/** Changes a message that still waits; false when it has been decided meanwhile. */
export async function changeWaiting(
  tx: WriteTx,
  id: string,
  changes: Partial<Omit<MessageRow, 'id' | keyof MessagePlace>>,
): Promise<boolean> {
  const result = await tx
    .updateTable('mail_message')
    .set(changes)
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/**
 * Forgets what became no fax and was recorded before a time, at most `limit` of them; of what still waits only that which no
 * mailbox has shown since. Returns how many.
 */
export async function deleteOld(tx: WriteTx, before: string, limit: number): Promise<number> {
  const old = tx
    .selectFrom('mail_message')
    .select('id')
    .where('state', 'in', ['refused', 'ignored', 'waiting'])
    .where('recorded_at', '<', before)
    .where((row) => row.or([row('state', '!=', 'waiting'), row('updated_at', '<', before)]))
    .limit(limit);
  const ids = (await old.execute()).map(({ id }) => id);
  if (ids.length === 0) return 0;
  await tx.deleteFrom('mail_reply').where('mail_id', 'in', ids).execute();
  await tx.deleteFrom('mail_message').where('id', 'in', ids).execute();
  return ids.length;
}

/** Newest first, keyset-paged on (recorded_at, id). Throws a 400 refusal on a wrong cursor. */
export async function listMessages(
  db: ReadDb,
  { ids, state, fax_id, limit, cursor }: MessageFilter,
): Promise<{ items: MessageRow[]; next_cursor: string | null }> {
  let query = db.selectFrom('mail_message').selectAll();
  if (ids !== undefined) query = query.where('id', 'in', ids);
  if (state !== undefined) query = query.where('state', 'in', state);
  if (fax_id !== undefined) query = query.where('fax_id', '=', fax_id);
  if (cursor !== undefined) query = query.where(afterCursor(cursor, 'recorded_at', 'id'));
  const rows = await query
    .orderBy('recorded_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  return cutPage(rows, limit, (row) => [row.recorded_at, row.id]);
}

/** Counts all messages by state; states without messages are left out. */
export async function countMessages(db: ReadDb): Promise<{ state: MailToFaxState; messages: number }[]> {
  const rows = await db
    .selectFrom('mail_message')
    .select((eb) => ['state', eb.fn.countAll<number | string>().as('messages')])
    .groupBy('state')
    .execute();
  return rows.map(({ state, messages }) => ({ state, messages: Number(messages) }));
}
