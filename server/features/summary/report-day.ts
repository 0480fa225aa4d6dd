import { isoTime } from '../../platform/clock.ts';
import { localIsoDate } from '../../platform/local-time.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** No zone is further from Greenwich. */
const MAX_OFFSET_MS = 16 * HOUR_MS;

/** The day before a day, both as `2026-11-23`. */
export function dayBefore(day: string): string {
  return new Date(Date.parse(day) - DAY_MS).toISOString().slice(0, 10);
}

/** Returns the last whole day in the time zone of the installation. */
export const lastWholeDay = (now: number, timeZone: string | null): string =>
  dayBefore(localIsoDate(now, timeZone));

/** The day whose summary is due: from `hour` (0 to 23) on that before today, until then that before it. */
export function dueDay(now: number, hour: number, timeZone: string | null): string {
  const last = lastWholeDay(now, timeZone);
  const options = { timeZone: timeZone ?? undefined, hour: 'numeric', hourCycle: 'h23' } as const;
  const present = Number(new Intl.DateTimeFormat('en-US', options).format(now));
  return present >= hour ? last : dayBefore(last);
}

/** Returns the span from its first moment until before the first of the next day, ISO 8601 UTC; 23 to 25 hours. */
export function spanOfDay(day: string, timeZone: string | null): { since: string; until: string } {
  const next = new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
  return { since: isoTime(beginOf(day, timeZone)), until: isoTime(beginOf(next, timeZone)) };
}

/** The first moment at which the date is that day or, where a zone left it out, a later one. Epoch milliseconds. */
function beginOf(day: string, timeZone: string | null): number {
  let [before, from] = [Date.parse(day) - MAX_OFFSET_MS, Date.parse(day) + MAX_OFFSET_MS];
  while (from - before > 1) {
    const middle = Math.floor((before + from) / 2);
    if (localIsoDate(middle, timeZone) >= day) from = middle;
    else before = middle;
  }
  return from;
}
