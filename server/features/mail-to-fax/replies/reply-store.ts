import type { ReadDb, WriteTx } from '../../../db/database.ts';
import type { MessageRow, ReplyRow } from '../types.ts';

/** Reply with the message that it answers. */
export type ReplyWithMessage = ReplyRow &
  Pick<MessageRow, 'message_id' | 'to_number' | 'fax_id'> & {
    /** Reason why the message was refused. */
    readonly refusal: string | null;
  };

/** Does nothing when the message has one of the kind. */
export async function insertReply(tx: WriteTx, row: ReplyRow): Promise<void> {
  await tx
    .insertInto('mail_reply')
    .values(row)
    .onConflict((conflict) => conflict.columns(['mail_id', 'kind']).doNothing())
    .execute();
}

/** Lists the replies to messages, oldest first. */
export async function repliesOf(db: ReadDb, mailIds: readonly string[]): Promise<ReplyRow[]> {
  if (mailIds.length === 0) return [];
  const query = db.selectFrom('mail_reply').selectAll().where('mail_id', 'in', mailIds);
  return query.orderBy('recorded_at').orderBy('kind').execute();
}

export async function findReply(
  db: ReadDb,
  { mail_id, kind }: Pick<ReplyRow, 'mail_id' | 'kind'>,
): Promise<ReplyRow | undefined> {
  return db
    .selectFrom('mail_reply')
    .selectAll()
    .where('mail_id', '=', mail_id)
    .where('kind', '=', kind)
    .executeTakeFirst();
}

const selectReplies = (db: ReadDb) =>
  db
    .selectFrom('mail_reply')
    .innerJoin('mail_message', 'mail_message.id', 'mail_reply.mail_id')
    .selectAll('mail_reply')
    .select([
      'mail_message.message_id',
      'mail_message.to_number',
      'mail_message.fax_id',
      'mail_message.problem as refusal',
    ]);

/** Lists the replies due at a time (ISO 8601 UTC), and those being handed over, oldest first. */
export async function dueReplies(db: ReadDb, at: string, limit: number): Promise<ReplyWithMessage[]> {
  return selectReplies(db)
    .where('mail_reply.state', 'in', ['waiting', 'sending'])
    .where((eb) =>
      eb.or([
        eb('mail_reply.retry_at', 'is', null),
        eb('mail_reply.retry_at', '<=', at),
        // A clock that was set back must not put it off for longer than any wait is.
        eb('mail_reply.updated_at', '>', at),
      ]),
    )
    .orderBy('mail_reply.recorded_at')
    .limit(limit)
    .execute();
}

/** Lists the replies that wait for the end of a fax, by the id of their message, from `after` on. */
export async function pendingReplies(db: ReadDb, after: string, limit: number): Promise<ReplyWithMessage[]> {
  return selectReplies(db)
    .where('mail_reply.state', '=', 'pending')
    .where('mail_reply.mail_id', '>', after)
    .orderBy('mail_reply.mail_id')
    .limit(limit)
    .execute();
}

/** Counts the replies that an address got, or may have got, since a time (ISO 8601 UTC). */
export async function countRepliesTo(db: ReadDb, address: string, since: string): Promise<number> {
  const { replies } = await db
    .selectFrom('mail_reply')
    .select((eb) => eb.fn.countAll<number | string>().as('replies'))
    .where('address', '=', address)
    .where('updated_at', '>', since)
    .where('state', 'in', ['sending', 'sent', 'uncertain'])
    .executeTakeFirstOrThrow();
  return Number(replies);
}

/** Changes a reply; false when another change came first. */
export async function changeReply(
  tx: WriteTx,
  { mail_id, kind, version }: Pick<ReplyRow, 'mail_id' | 'kind' | 'version'>,
  changes: Partial<Omit<ReplyRow, 'mail_id' | 'kind' | 'version'>> & { updated_at: string },
): Promise<boolean> {
  const result = await tx
    .updateTable('mail_reply')
    .set({ ...changes, version: version + 1 })
    .where('mail_id', '=', mail_id)
    .where('kind', '=', kind)
    .where('version', '=', version)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Ends all that are not at their end, at a time (ISO 8601 UTC). */
export async function markRepliesUncertain(tx: WriteTx, problem: string, at: string): Promise<void> {
  await tx
    .updateTable('mail_reply')
    .set({ state: 'uncertain', problem, subject: null, retry_at: null, updated_at: at })
    .where('state', 'in', ['pending', 'waiting', 'sending'])
    .execute();
}
