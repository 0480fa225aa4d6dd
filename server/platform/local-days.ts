import { dateFormat } from '../../shared/date-format.ts';
import { isoTime } from './clock.ts';
import { localIsoDate } from './local-time.ts';

// Days by the clocks of a time zone (IANA; null for that of this computer), as `2026-11-23`, which sorts.

const DAY_MS = 24 * 3_600_000;
/** No zone is further from Greenwich. */
const MAX_OFFSET_MS = 16 * 3_600_000;

/** Returns the day so many days later. */
export const daysAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

/** Returns the day before a day. */
export function dayBefore(day: string): string {
  return daysAfter(day, -1);
}

/** Returns the last whole day. */
export function lastWholeDay(now: number, timeZone: string | null): string {
  return dayBefore(localIsoDate(now, timeZone));
}

/** Returns the month as `2026-11`. */
export function localIsoMonth(at: number, timeZone: string | null): string {
  return localIsoDate(at, timeZone).slice(0, 7);
}

/**
 * Returns the day whose daily run is due: today from `hour` (0 to 23) on, until then yesterday. Work that runs once a
 * day compares it with the day of its last run: then a computer that was off makes up for a missed run, and a clock
 * that was set back repeats none. An hour that the clocks skip begins with the next one, one that comes twice with the first.
 */
export function dailyRunDay(at: number, hour: number, timeZone: string | null): string {
  const today = localIsoDate(at, timeZone);
  const options = { timeZone: timeZone ?? undefined, hour: 'numeric', hourCycle: 'h23' } as const;
  const present = Number(dateFormat('en-US', options).format(at));
  return present >= hour ? today : dayBefore(today);
}

/** Returns the span from its first moment until before the first of the next day, ISO 8601 UTC; 23 to 25 hours. */
export function spanOfDay(day: string, timeZone: string | null): { since: string; until: string } {
  return {
    since: isoTime(startOfDay(day, timeZone)),
    until: isoTime(startOfDay(daysAfter(day, 1), timeZone)),
  };
}

/** Returns the start of the day, or of the next one where the zone skipped it. Epoch milliseconds. */
function startOfDay(day: string, timeZone: string | null): number {
  let [before, from] = [Date.parse(day) - MAX_OFFSET_MS, Date.parse(day) + MAX_OFFSET_MS];
  while (from - before > 1) {
    const middle = Math.floor((before + from) / 2);
    if (localIsoDate(middle, timeZone) >= day) from = middle;
    else before = middle;
  }
  return from;
}
