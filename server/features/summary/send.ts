import { z } from 'zod';
import type { MailOutcome } from '../../adapters/mail/port.ts';
import { beginHandOver } from '../../jobs/work-permit.ts';
import { isoTime } from '../../platform/clock.ts';
import { dailyRunDay, dayBefore, lastWholeDay } from '../../platform/local-days.ts';
import { localIsoDate } from '../../platform/local-time.ts';
import { retryDelayMs } from '../intake/service.ts';
import { figuresOf } from './figures.ts';
import { summaryMessage } from './message.ts';
import type { SummaryParts } from './parts.ts';
import { changeDay, findDay, hasSince, insertDay, newestDays, openDays } from './store.ts';
import type { SummaryRow } from './types.ts';

const Addresses = z.array(z.string());
const GATEWAY_LOST_TEXT = 'Faxdesk was stopped while the e-mail was being sent.';

export const NO_CONNECTOR = 'The setting “Daily summary by” does not name an e-mail connector.';

/** Another gateway, or a person, changed the summary between reading and writing. */
class SummaryChangedError extends Error {
  override name = 'SummaryChangedError';
}

/**
 * Creates the summary that is due, and sends those due to be sent, one at a time: only one gateway runs this. One found
 * in `sending` was left by a lost gateway.
 */
export async function sendDue(parts: SummaryParts): Promise<void> {
  if (parts.settings.recipients().length > 0) await recordDue(parts);
  for (const row of await openDays(parts.db.read)) {
    if (row.state === 'sending')
      await settle(parts, row.day, { kind: 'unknown', sentence: GATEWAY_LOST_TEXT }, []);
    else if (isDue(row, parts.clock.now())) await sendOne(parts, row);
  }
}

/** A clock that was set back must not put it off for longer than any wait is. */
function isDue({ retry_at, updated_at }: SummaryRow, now: number): boolean {
  const at = isoTime(now);
  return retry_at === null || retry_at <= at || updated_at > at;
}

async function recordDue(parts: SummaryParts): Promise<void> {
  const { db, clock, settings } = parts;
  const now = clock.now();
  const { timeZone } = settings.locality();
  const day = dayBefore(dailyRunDay(now, settings.hour(), timeZone));
  const today = localIsoDate(now, timeZone);
  if (await hasSince(db.read, day, today)) return;
  // Missed summaries are made up for; before the first one there were none.
  if (day !== lastWholeDay(now, timeZone) && (await newestDays(db.read, 1)).length === 0) return;
  const at = isoTime(now);
  const empty = { version: 1, problem: null, failures: 0, retry_at: null, delivered: '[]' };
  await db.transaction(async (tx) => {
    await insertDay(tx, { ...empty, day, state: 'waiting', recorded_at: at, updated_at: at });
  });
}

async function sendOne(parts: SummaryParts, { day, delivered }: SummaryRow): Promise<void> {
  const has = new Set(Addresses.parse(JSON.parse(delivered)));
  const to = parts.settings.recipients().filter((address) => !has.has(address));
  // No recipients are left.
  if (to.length === 0) return settle(parts, day, { kind: 'accepted', refused: new Map() }, []);
  const outcome = await sendSummary(parts, { day, to, idName: `summary.${day}` }, () =>
    beginHandOver(parts.permit, () => markSending(parts, day)),
  );
  await settle(parts, day, outcome, to);
}

/** Hands the summary of a day over, once. */
export async function sendSummary(
  parts: SummaryParts,
  { day, to, idName }: { readonly day: string; readonly to: readonly string[]; readonly idName: string },
  beforeData: () => Promise<void>,
): Promise<MailOutcome> {
  const { settings, clock, mail } = parts;
  const connector = settings.connector();
  if (connector === null) return { kind: 'refused', sentence: NO_CONNECTOR, refused: new Map() };
  const message = summaryMessage(day, await figuresOf(parts, day), settings.locality());
  return mail.handOver({ ...message, to, at: clock.now(), connector, idName }, beforeData);
}

/** From here on a lost gateway leaves the outcome uncertain. */
async function markSending({ db, clock }: SummaryParts, day: string): Promise<void> {
  await db.transaction(async (tx) => {
    const row = await findDay(tx, day);
    const changes = { state: 'sending', retry_at: null, updated_at: isoTime(clock.now()) } as const;
    if (row?.state !== 'waiting' || !(await changeDay(tx, row, changes)))
      throw new SummaryChangedError(`the summary of ${day} is not to be sent now`);
  });
}

async function settle(
  { db, clock, logger }: SummaryParts,
  day: string,
  outcome: MailOutcome,
  to: readonly string[],
): Promise<void> {
  await db.transaction(async (tx) => {
    const row = await findDay(tx, day);
    // A worker taken for lost may have finished after all: its outcome then counts.
    const isFound = row?.state === 'uncertain' && outcome.kind === 'accepted';
    if (!row || (row.state !== 'waiting' && row.state !== 'sending' && !isFound)) return;
    const now = clock.now();
    const changes = { ...changesAfter(row, outcome, to, now), updated_at: isoTime(now) };
    if (!(await changeDay(tx, row, changes)))
      throw new SummaryChangedError(`the summary of ${day} was changed meanwhile`);
    logger.info({ day, state: changes.state, problem: changes.problem }, 'the daily summary was handed over');
  });
}

/** The same rule as for received faxes: what was refused is tried again, what may have arrived is not. */
function changesAfter(row: SummaryRow, outcome: MailOutcome, to: readonly string[], now: number) {
  if (outcome.kind === 'unknown')
    return { state: 'uncertain', problem: outcome.sentence, retry_at: null } as const;
  const isTaken = outcome.kind === 'accepted';
  const took = isTaken ? to.filter((address) => !outcome.refused.has(address)) : [];
  const delivered = JSON.stringify([...Addresses.parse(JSON.parse(row.delivered)), ...took]);
  if (isTaken && outcome.refused.size === 0)
    return { state: 'delivered', problem: null, retry_at: null, delivered } as const;
  const failures = row.failures + 1;
  const wait = retryDelayMs(failures);
  return {
    state: wait === null ? 'failed' : 'waiting',
    problem: sentenceOf(outcome),
    failures,
    retry_at: wait === null ? null : isoTime(now + wait),
    delivered,
  } as const;
}

/**
 * Returns the reason why not all recipients have it. Addresses appear only in the answer to a test, not in sentences
 * that everybody reads.
 */
export function sentenceOf(outcome: MailOutcome): string {
  if (outcome.kind !== 'accepted' && (outcome.kind === 'unknown' || outcome.refused.size === 0))
    return outcome.sentence;
  const { size } = outcome.refused;
  const [first = ''] = outcome.refused.values();
  return size === 1 ? first : `${size} recipients were refused. The first: ${first}`;
}
