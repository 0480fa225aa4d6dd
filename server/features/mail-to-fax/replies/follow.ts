import { epochOf, isoTime } from '../../../platform/clock.ts';
import type { SentOutcome } from '../../outbound/service.ts';
import type { MailToFaxParts } from '../parts.ts';
import { changeReply, insertReply, pendingReplies, type ReplyWithMessage } from './reply-store.ts';
import { needsPerson } from './words.ts';

const AT_ONCE = 500;
/** A number that was busy is tried again as a new fax, which is made moments after the failure. */
const SETTLED_MS = 120_000;

const END_STATES = new Set<SentOutcome['state']>(['success', 'failed', 'cancelled']);

/** Queues replies about faxes that ended since, or that need a person. */
export async function followFaxes(parts: MailToFaxParts): Promise<void> {
  for (let after = ''; ; ) {
    const rows = await pendingReplies(parts.db.read, after, AT_ONCE);
    const outcomes = await parts.sentFaxes.outcomesOf(rows.flatMap(({ fax_id }) => fax_id ?? []));
    for (const row of rows) await follow(parts, row, outcomes.get(row.fax_id ?? ''));
    const last = rows.at(-1);
    if (last === undefined || rows.length < AT_ONCE) return;
    after = last.mail_id;
  }
}

async function follow(
  { db, clock }: MailToFaxParts,
  row: ReplyWithMessage,
  outcome: SentOutcome | undefined,
): Promise<void> {
  if (outcome === undefined) return;
  const now = clock.now();
  const updated_at = isoTime(now);
  if (needsPerson(outcome)) {
    const { message_id: _id, to_number: _number, fax_id: _fax, refusal: _refusal, ...reply } = row;
    const question = { ...reply, kind: 'asked', state: 'waiting', version: 1 } as const;
    return db.transaction((tx) => insertReply(tx, { ...question, recorded_at: updated_at, updated_at }));
  }
  const isYoung = Math.abs(now - epochOf(outcome.at)) < SETTLED_MS;
  if (!END_STATES.has(outcome.state) || (outcome.state === 'failed' && isYoung)) return;
  await db.transaction((tx) =>
    changeReply(tx, row, { state: 'waiting', recorded_at: updated_at, updated_at }),
  );
}
