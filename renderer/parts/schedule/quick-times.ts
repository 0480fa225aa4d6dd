/** A time that people choose often. */
export interface QuickTime {
  readonly id: 'evening' | 'tomorrow' | 'monday';
  readonly at: Date;
  /** Its day has the name of today, and is not meant. */
  readonly isNextWeek: boolean;
}

const EVENING_HOUR = 18;
const MORNING_HOUR = 8;
/** Minimum time ahead: an evening that has nearly begun is not offered. */
const MIN_AHEAD_MS = 15 * 60_000;

/** The times to choose from, by this computer's clock: the evening while it lies ahead, the next morning, the next Monday. */
export function quickTimes(now: Date): readonly QuickTime[] {
  const evening = at(now, 0, EVENING_HOUR);
  // Days until Monday; on Sunday that is tomorrow.
  const untilMonday = (8 - now.getDay()) % 7 || 7;
  const isNextWeek = false;
  const times: QuickTime[] = [{ id: 'tomorrow', at: at(now, 1, MORNING_HOUR), isNextWeek }];
  if (evening.getTime() - now.getTime() >= MIN_AHEAD_MS)
    times.unshift({ id: 'evening', at: evening, isNextWeek });
  if (untilMonday > 1)
    times.push({ id: 'monday', at: at(now, untilMonday, MORNING_HOUR), isNextWeek: untilMonday === 7 });
  return times;
}

function at(now: Date, days: number, hour: number): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour);
}

/** As a date and time field writes it, by this computer's clock: `2026-11-21T18:30`. */
export function fieldTime(time: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${day}T${two(time.getHours())}:${two(time.getMinutes())}`;
}
