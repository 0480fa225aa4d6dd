import type { WriteTx } from '../../../db/database.ts';
import { type Schedule, schedule } from '../../../jobs/schedule.ts';
import { isoTime } from '../../../platform/clock.ts';
import type { TelephonyParts } from '../parts.ts';
import { type CallPlace, listCallsBefore, removeCalls } from './store.ts';
import type { CallRow } from './types.ts';

const BATCH = 200;
const DAY_MS = 24 * 3_600_000;

/** Removes the calls that were recorded longer ago than CALL_LOG_DAYS, but for those of a fax under a legal hold. The faxes stay. */
export function defineCallCleanup(parts: TelephonyParts): Schedule {
  const { db, queue, clock, settings } = parts;
  return schedule({
    kind: 'telephony.cleanup',
    everyMs: () => (settings.callLogDays() > 0 ? settings.cleanupMinutes() * 60_000 : 0),
    run: () => removeExpired(parts),
    db,
    queue,
    clock,
  });
}

async function removeExpired(parts: TelephonyParts): Promise<void> {
  const before = isoTime(parts.clock.now() - parts.settings.callLogDays() * DAY_MS);
  let after: CallPlace | null = null;
  for (let removed = 0; ; ) {
    const from: CallPlace | null = after;
    const batch: Batch = await parts.db.transaction((tx) => removeBatch(parts, tx, { before, after: from }));
    removed += batch.removed;
    after = batch.last;
    if (after === null) {
      if (removed > 0) parts.logger.info({ removed }, 'calls past their time were removed from the call log');
      return;
    }
  }
}

interface Batch {
  readonly removed: number;
  /** Null after the last one. */
  readonly last: CallPlace | null;
}

async function removeBatch(
  { holds, inbound, sentFaxes }: TelephonyParts,
  tx: WriteTx,
  { before, after }: { before: string; after: CallPlace | null },
): Promise<Batch> {
  const calls = await listCallsBefore(tx, { before, after, limit: BATCH });
  const isAnyHeld = (await holds.open(tx)).length > 0;
  const sent = calls.flatMap((call) => sentFaxesOf(call));
  const received = calls.flatMap(({ received_fax_id: id }) => id ?? []);
  const held = isAnyHeld
    ? new Set([...(await sentFaxes.service.heldAmong(tx, sent)), ...(await inbound.heldAmong(tx, received))])
    : new Set<string>();
  const isHeld = (call: CallRow) =>
    [...sentFaxesOf(call), call.received_fax_id ?? ''].some((id) => held.has(id));
  const ids = calls.filter((call) => !isHeld(call)).map(({ id }) => id);
  await removeCalls(tx, ids);
  const last = calls.length < BATCH ? undefined : calls.at(-1);
  return { removed: ids.length, last: last === undefined ? null : [last.recorded_at, last.id] };
}

const sentFaxesOf = ({ sent_fax_ids }: CallRow) => JSON.parse(sent_fax_ids) as string[];
