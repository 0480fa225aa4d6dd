import { dateFormat } from '../../shared/date-format.ts';
import { epochOf } from './clock.ts';
import { spanOfDay } from './local-days.ts';
import { localIsoDate } from './local-time.ts';

// Hours of a week by the clocks of a time zone (IANA; null for that of this computer). They are open while the clock on the
// wall shows a time of theirs: an hour that the clocks skip never comes, and one that comes twice is open twice.

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Past a week, because the only hour of a week may be skipped. */
const SEARCHED_DAYS = 16;

/** Days of a week (1 for Monday to 7 for Sunday) and the span of each, `08:00` to at most `24:00` of the same day. */
export interface WeekHours {
  readonly days: readonly number[];
  readonly from: string;
  readonly to: string;
}

/** Returns the first moment at `now` or later that is in the hours; null for hours that never come. Epoch milliseconds. */
export function nextOpen(hours: readonly WeekHours[], now: number, timeZone: string | null): number | null {
  let day = localIsoDate(now, timeZone);
  for (let searched = 0; searched < SEARCHED_DAYS; searched += 1) {
    const found = firstOf(hours, { day, now, timeZone });
    if (found !== null) return found;
    day = new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
  }
  return null;
}

function firstOf(
  hours: readonly WeekHours[],
  { day, now, timeZone }: { day: string; now: number; timeZone: string | null },
): number | null {
  const weekday = new Date(day).getUTCDay() || 7;
  const ofDay = hours.filter(({ days }) => days.includes(weekday));
  const found = ofDay.length === 0 ? [] : stretchesOf(day, timeZone).flatMap(openings(ofDay, now));
  return found.length === 0 ? null : Math.min(...found);
}

/** A part of a day in which the clocks are not changed. */
interface Stretch {
  readonly start: number;
  readonly end: number;
  /** Time of day at its start, in ms. */
  readonly wall: number;
}

const openings =
  (hours: readonly WeekHours[], now: number) =>
  ({ start, end, wall }: Stretch): number[] =>
    hours.flatMap(({ from, to }) => {
      const opens = Math.max(now, start, start + clockMs(from) - wall);
      return opens < Math.min(end, start + clockMs(to) - wall) ? [opens] : [];
    });

/** Returns the stretches of a day: one, or two where the clocks are changed in it; none where the zone skipped it. */
function stretchesOf(day: string, timeZone: string | null): Stretch[] {
  const span = spanOfDay(day, timeZone);
  const [start, end] = [epochOf(span.since), epochOf(span.until)];
  if (end <= start) return [];
  const change = findChange(start, end, timeZone);
  if (change === null) return [{ start, end, wall: wallMs(start, timeZone) }];
  return [
    { start, end: change, wall: wallMs(start, timeZone) },
    { start: change, end, wall: wallMs(change, timeZone) },
  ];
}

/** Returns the moment at which the clocks are changed in the span; null for none. */
function findChange(start: number, end: number, timeZone: string | null): number | null {
  const first = wallMs(start, timeZone);
  const isUnchanged = (at: number) => wallMs(at, timeZone) - first === at - start;
  if (isUnchanged(end - MINUTE_MS)) return null;
  let [before, from] = [start, end - MINUTE_MS];
  while (from - before > 1) {
    const middle = Math.floor((before + from) / 2);
    if (isUnchanged(middle)) before = middle;
    else from = middle;
  }
  return from;
}

/** Time of day that the clocks show, in ms; parts of a second are those of the moment. */
function wallMs(at: number, timeZone: string | null): number {
  const options = {
    timeZone: timeZone ?? undefined,
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  } as const;
  const [hour = 0, minute = 0, second = 0] = dateFormat('en-GB', options).format(at).split(':').map(Number);
  return ((hour * 60 + minute) * 60 + second) * 1000 + (at % 1000);
}

function clockMs(text: string): number {
  const [hour = 0, minute = 0] = text.split(':').map(Number);
  return (hour * 60 + minute) * MINUTE_MS;
}
