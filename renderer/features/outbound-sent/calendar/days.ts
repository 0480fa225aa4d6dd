import { t } from '../../../texts/sent.ts';
import { formatCount, formatDay } from '../../../ui/format.ts';
import type { WaitingFax } from './use-calendar.ts';

const words = t.sent.calendar;

/** Returns the name of a day such as `2026-11-23`, also by its distance from today where that is short. */
export function dayName(date: string, today: string): string {
  const [first, day] = [new Date(`${today}T12:00`), new Date(`${date}T12:00`)];
  const name = formatDay(day, first);
  if (date === today) return words.today(name);
  first.setDate(first.getDate() + 1);
  return first.toDateString() === day.toDateString() ? words.tomorrow(name) : name;
}

/** Returns the heading of a day, with the number of its faxes. */
export function dayHeading({ day: { date, count, more } }: WaitingFax, today: string): string {
  const line = words.ofDay(dayName(date, today), formatCount(count), count === 1);
  return more === 0 ? line : words.more(line, formatCount(more));
}
