import type { WeekHours } from './local-hours.ts';

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const DAY = '(?:mon|tue|wed|thu|fri|sat|sun)';
const TIME = '(?:[01]\\d|2[0-3]):[0-5]\\d';
const ENTRY = new RegExp(
  `^(daily|${DAY}(?:-${DAY})?(?:,${DAY}(?:-${DAY})?){0,6}) (${TIME})-(${TIME}|24:00)$`,
  'u',
);

/**
 * Returns the hours of an entry such as `Mon-Fri 18:00-08:00`, `Sat,Sun 00:00-24:00` or `daily 22:00-06:00`. A span that ends
 * before it begins goes on into the next day. Empty for any other text.
 */
export function parseCheapHours(text: string): WeekHours[] {
  const [, named, from, to] = ENTRY.exec(text.trim().toLowerCase()) ?? [];
  if (named === undefined || from === undefined || to === undefined || from === to) return [];
  const days = named === 'daily' ? [1, 2, 3, 4, 5, 6, 7] : named.split(',').flatMap(daysOf);
  if (from < to) return [{ days, from, to }];
  const evening = { days, from, to: '24:00' };
  return to === '00:00'
    ? [evening]
    : [evening, { days: days.map((day) => (day % 7) + 1), from: '00:00', to }];
}

/** `fri-mon` goes over the end of the week. */
function daysOf(named: string): number[] {
  const [first = '', last = first] = named.split('-');
  const from = DAYS.indexOf(first);
  const count = ((DAYS.indexOf(last) - from + 7) % 7) + 1;
  return Array.from({ length: count }, (_, i) => ((from + i) % 7) + 1);
}
