import type { WriteTx } from '../../../db/database.ts';
import type { OutboundParts } from '../parts.ts';
import { checkHours, checkSendBy, hoursWait } from '../queue/hours.ts';
import { checkSendAt } from '../queue/send-later.ts';
import { togetherAt } from '../queue/together.ts';
import type { JobRow } from '../types.ts';

type Parts = Pick<OutboundParts, 'db' | 'clock' | 'settings' | 'contacts'>;

/** Refuses times of a fax that have passed, that contradict each other, or at which it may not be sent. */
export async function checkTimes(
  parts: Parts,
  times: Pick<JobRow, 'to_number' | 'send_at' | 'send_by' | 'send_when'>,
): Promise<void> {
  const now = parts.clock.now();
  checkSendAt(times.send_at, now);
  checkSendBy(times, now);
  // As far ahead as a scheduled time at most.
  checkSendAt(times.send_by, now);
  checkHours(parts, times, await hoursWait(parts, parts.db.read, times, now));
}

/** Returns the row with the time at which the fax leaves: in its hours, or together with others (`minutes`). */
export async function timedRow(
  parts: Pick<Parts, 'settings' | 'contacts'>,
  tx: WriteTx,
  row: JobRow,
  { minutes, now }: { minutes: number | null; now: number },
): Promise<JobRow> {
  if (row.delivery_state !== 'ready') return row;
  const timed = { ...row, ...(await hoursWait(parts, tx, row, now)) };
  if (!minutes) return timed;
  const together_at = await togetherAt(tx, timed, { minutes, now });
  // A fax that would be late by waiting for others leaves alone.
  return row.send_by !== null && together_at >= row.send_by ? timed : { ...timed, together_at };
}
