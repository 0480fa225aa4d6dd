import type { MailOutcome } from '../../../adapters/mail/port.ts';
import { type Schedule, schedule } from '../../../jobs/schedule.ts';
import { beginHandOver } from '../../../jobs/work-permit.ts';
import { isoTime } from '../../../platform/clock.ts';
import { retryDelayMs } from '../../intake/service.ts';
import type { MailToFaxParts } from '../parts.ts';
import { senderOf } from '../store/sender-store.ts';
import type { ReplyRow } from '../types.ts';
import { followFaxes } from './follow.ts';
import { subjectContext } from './plan.ts';
import { changeReply, countRepliesTo, dueReplies, findReply, type ReplyWithMessage } from './reply-store.ts';
import { needsPerson, replyWords } from './words.ts';

const EVERY_MS = 60_000;
const AT_ONCE = 200;
const HOUR_MS = 3_600_000;
/** To one address, so that two programs that answer each other soon stop. */
const MAX_PER_HOUR = 30;

const VANISHED = 'Faxdesk was stopped while the e-mail was being sent.';
const TOO_MANY = `The address got ${MAX_PER_HOUR} replies within an hour.`;

/** Another gateway changed the reply between reading and writing. */
class ReplyChangedError extends Error {
  override name = 'ReplyChangedError';
}

/**
 * Sends the replies to senders, each at most once: only one gateway runs this. A reply found in `sending` was left by a
 * gateway that vanished.
 */
export function createReplies(parts: MailToFaxParts): Schedule {
  const { db, queue, clock, seal } = parts;
  return schedule({
    kind: 'mail-to-fax.reply',
    everyMs: () => EVERY_MS,
    async run() {
      // Sealed values could not be read.
      if (seal.problem !== null) return;
      await followFaxes(parts);
      for (const row of await dueReplies(db.read, isoTime(clock.now()), AT_ONCE))
        if (row.state === 'sending') await settle(parts, row, { kind: 'unknown', sentence: VANISHED });
        // The others wait for a server that is away as well.
        else if (!(await attempt(parts, row))) return;
    },
    db,
    queue,
    clock,
  });
}

/** False when the server took nothing for anybody. */
async function attempt(parts: MailToFaxParts, row: ReplyWithMessage): Promise<boolean> {
  const { db, clock, settings, mail, seal, sentFaxes } = parts;
  const connector = settings.replyConnector();
  const reason = connector === null ? 'Replies were turned off.' : await permanentRefusal(parts, row);
  if (connector === null || reason !== null) return skip(parts, row, reason ?? '');
  if ((await countRepliesTo(db.read, row.address, isoTime(clock.now() - HOUR_MS))) >= MAX_PER_HOUR)
    // Replies about outcomes are limited by the number of faxes; refusals may answer other automatic replies.
    return row.kind === 'refused' ? skip(parts, row, TOO_MANY) : postpone(parts, row);
  const fax = row.fax_id === null ? undefined : (await sentFaxes.outcomesOf([row.fax_id])).get(row.fax_id);
  if (row.kind === 'asked' && (fax === undefined || !needsPerson(fax)))
    return skip(parts, row, 'The fax was confirmed before Faxdesk asked the sender.');
  const subject = row.subject === null ? null : seal.open(row.subject, subjectContext(row.mail_id));
  const order = {
    ...replyWords(row, fax, subject, settings.locality()),
    to: [row.address],
    at: clock.now(),
    connector,
    idName: `reply.${row.mail_id}.${row.kind}`,
    inReplyTo: /^<[^\s<>]+>$/u.test(row.message_id ?? '') ? row.message_id : null,
  };
  const outcome = await mail.handOver(order, () => beginHandOver(parts.permit, () => begin(parts, row)));
  await settle(parts, row, outcome);
  return outcome.kind !== 'refused' || outcome.refused.size > 0;
}

/**
 * Returns the reason why a reply must never be sent; null when it may. The sender may have left the list, and a reply
 * to Faxdesk itself would be answered for ever.
 */
async function permanentRefusal(
  { db, mail, settings }: MailToFaxParts,
  row: ReplyWithMessage,
): Promise<string | null> {
  if (!(await senderOf(db.read, row.address))) return 'The address is no longer on the list.';
  const own = (await mail.connectors()).map(({ from_address }) => from_address.toLowerCase());
  return own.includes(row.address) || settings.server()?.username.toLowerCase() === row.address
    ? 'The address is one of Faxdesk itself.'
    : null;
}

/** Marks the reply as being sent. If the gateway vanishes from here on, the outcome is uncertain. */
async function begin({ db, clock }: MailToFaxParts, row: ReplyWithMessage): Promise<void> {
  const updated_at = isoTime(clock.now());
  await db.transaction(async (tx) => {
    if (!(await changeReply(tx, row, { state: 'sending', retry_at: null, updated_at })))
      throw new ReplyChangedError('the reply is not to be sent now');
  });
}

async function settle({ db, clock, logger }: MailToFaxParts, given: ReplyRow, outcome: MailOutcome) {
  await db.transaction(async (tx) => {
    const row = await findReply(tx, given);
    if (row?.state !== 'waiting' && row?.state !== 'sending') return;
    const now = clock.now();
    const changes = { ...changesBy(row, outcome, now), updated_at: isoTime(now) };
    if (!(await changeReply(tx, row, changes)))
      throw new ReplyChangedError('the reply was changed meanwhile');
    logger.info({ kind: row.kind, state: changes.state }, 'a reply to a sender was handed over');
  });
}

/** The same rule as for received faxes: what was refused is tried again, what may have arrived is not. */
function changesBy(row: ReplyRow, outcome: MailOutcome, now: number) {
  const ended = { retry_at: null, subject: null };
  if (outcome.kind === 'unknown') return { ...ended, state: 'uncertain', problem: outcome.sentence } as const;
  const [refusal] = outcome.refused.values();
  const problem = refusal ?? (outcome.kind === 'refused' ? outcome.sentence : null);
  if (problem === null) return { ...ended, state: 'sent', problem } as const;
  const failures = row.failures + 1;
  const wait = retryDelayMs(failures);
  if (wait === null) return { ...ended, state: 'failed', problem, failures } as const;
  return { state: 'waiting', problem, failures, retry_at: isoTime(now + wait) } as const;
}

async function skip({ db, clock }: MailToFaxParts, row: ReplyWithMessage, problem: string): Promise<true> {
  const updated_at = isoTime(clock.now());
  const changes = { state: 'skipped', problem, subject: null, retry_at: null, updated_at } as const;
  await db.transaction((tx) => changeReply(tx, row, changes));
  return true;
}

async function postpone({ db, clock }: MailToFaxParts, row: ReplyWithMessage): Promise<true> {
  const now = clock.now();
  const changes = { problem: TOO_MANY, retry_at: isoTime(now + HOUR_MS / 4), updated_at: isoTime(now) };
  await db.transaction((tx) => changeReply(tx, row, changes));
  return true;
}
