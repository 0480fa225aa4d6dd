import { expect, test } from 'vitest';
import { fieldTime, quickTimes } from '../../renderer/parts/schedule/quick-times.ts';

/** Days of 2026: the 23rd of November is a Monday. */
const november = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute);
const timesAt = (now: Date) => quickTimes(now).map(({ id, at }) => `${id} ${fieldTime(at)}`);

test.each([
  [
    'a Tuesday morning',
    november(24, 9),
    ['evening 2026-11-24T18:00', 'tomorrow 2026-11-25T08:00', 'monday 2026-11-30T08:00'],
  ],
  // The evening has begun.
  ['a Tuesday evening', november(24, 17, 46), ['tomorrow 2026-11-25T08:00', 'monday 2026-11-30T08:00']],
  // Tomorrow is Monday.
  ['a Sunday', november(29, 9), ['evening 2026-11-29T18:00', 'tomorrow 2026-11-30T08:00']],
  [
    'the last day of the year',
    new Date(2026, 11, 31, 20),
    ['tomorrow 2027-01-01T08:00', 'monday 2027-01-04T08:00'],
  ],
])('the usual times on %s', (_of, now, times) => {
  expect(timesAt(now)).toEqual(times);
});

test('on a Monday the next one is meant, and said', () => {
  const times = quickTimes(november(23, 7));
  expect(times.map(({ id, isNextWeek }) => [id, isNextWeek])).toEqual([
    ['evening', false],
    ['tomorrow', false],
    ['monday', true],
  ]);
  expect(timesAt(november(23, 7)).at(-1)).toBe('monday 2026-11-30T08:00');
});
