import { schedule } from '../../../jobs/schedule.ts';
import { isoTime } from '../../../platform/clock.ts';
import { listPartners, updatePartner } from '../store/partner-store.ts';
import type { PartnerRow } from '../types.ts';
import type { PartnerParts } from './parts.ts';
import { daysLeft, RENEWAL_DAYS } from './standing.ts';
import { planKeyChanges } from './tell-partners.ts';

const DAY_MS = 24 * 3_600_000;
const [EARLY_DAYS, LATE_DAYS] = RENEWAL_DAYS;

/** Daily: notices of checks that end, and statements to partners who do not know the own keys yet. */
export function scheduleUpkeep(parts: PartnerParts) {
  const { db, queue, clock, settings } = parts;
  return schedule({
    kind: 'direct.upkeep',
    everyMs: () => (settings.enabled() ? DAY_MS : 0),
    run: () => keepUp(parts),
    db,
    queue,
    clock,
  });
}

async function keepUp(parts: PartnerParts): Promise<void> {
  const { db, identity } = parts;
  for (const row of await listPartners(db.read)) await noticeEnd(parts, row);
  const { signingKey } = await identity.current();
  await db.transaction((tx) => planKeyChanges(parts, tx, signingKey));
}

/** Logs once for 30 and once for 7 days that the check of a number ends, and lets consoles read the partner again. */
async function noticeEnd({ db, clock, events, logger }: PartnerParts, row: PartnerRow): Promise<void> {
  const at = isoTime(clock.now());
  const days = daysLeft(row, at);
  if (days === null || days > EARLY_DAYS) return;
  const marks = {
    ...(row.notice_30_for === row.expires_at ? {} : { notice_30_for: row.expires_at }),
    ...(days > LATE_DAYS || row.notice_7_for === row.expires_at ? {} : { notice_7_for: row.expires_at }),
  };
  if (Object.keys(marks).length === 0) return;
  const isMarked = await db.transaction(async (tx) => {
    const changed = await updatePartner(tx, row, { ...marks, updated_at: at });
    const { id, version } = row;
    if (changed) db.onCommit(tx, () => events.publish('partner.changed', { id, version: version + 1 }));
    return changed;
  });
  if (isMarked)
    logger.warn(
      { partner_id: row.id, days, expires_at: row.expires_at },
      'the check of a partner’s number ends',
    );
}

/** Returns sentences about checks that end within 7 days, without names. */
export async function endWarnings({ db, clock }: Pick<PartnerParts, 'db' | 'clock'>): Promise<string[]> {
  const at = isoTime(clock.now());
  const days = (await listPartners(db.read)).map((row) => daysLeft(row, at));
  const count = days.filter((left) => left !== null && left <= LATE_DAYS).length;
  if (count === 0) return [];
  const who = count === 1 ? 'one partner' : `${count} partners`;
  return [
    `Faxes to ${who} will soon go by phone instead of directly. Fax a new code in Contacts > Partners.`,
  ];
}

/** A partner to whom faxes go by phone from a time on. */
export interface EndingCheck {
  readonly partner_id: string;
  readonly organization: string;
  readonly fax_number: string;
  readonly expires_at: string;
}

/** Lists the checks of numbers that end within 30 days, the earliest first. */
export async function endingChecks({
  db,
  clock,
}: Pick<PartnerParts, 'db' | 'clock'>): Promise<EndingCheck[]> {
  const at = isoTime(clock.now());
  const ending = (await listPartners(db.read)).flatMap((row) => {
    const { id: partner_id, organization, fax_number, expires_at } = row;
    const days = daysLeft(row, at);
    if (days === null || days > EARLY_DAYS || expires_at === null) return [];
    return [{ partner_id, organization, fax_number, expires_at }];
  });
  return ending.sort((a, b) => (a.expires_at < b.expires_at ? -1 : 1));
}
