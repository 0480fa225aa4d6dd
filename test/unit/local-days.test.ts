import { expect, test } from 'vitest';
import { dailyRunDay, dayBefore, spanOfDay } from '../../server/platform/local-days.ts';

const HOUR = 3_600_000;
const dueDay = (at: number, hour: number, timeZone: string) => dayBefore(dailyRunDay(at, hour, timeZone));
const hours = ({ since, until }: { since: string; until: string }) =>
  (Date.parse(until) - Date.parse(since)) / HOUR;

test('a day has 23, 24 or 25 hours, as the clocks of its zone have it', () => {
  expect(spanOfDay('2026-11-23', 'America/New_York')).toEqual({
    since: '2026-11-23T05:00:00.000Z',
    until: '2026-11-24T05:00:00.000Z',
  });
  expect(hours(spanOfDay('2026-03-08', 'America/New_York'))).toBe(23);
  expect(hours(spanOfDay('2026-11-01', 'America/New_York'))).toBe(25);
  expect(spanOfDay('2026-01-01', 'Pacific/Kiritimati').since).toBe('2025-12-31T10:00:00.000Z');
  expect(spanOfDay('2026-01-01', 'Pacific/Pago_Pago').since).toBe('2026-01-01T11:00:00.000Z');
});

test('a summary is due from its hour on, also on the days on which clocks change', () => {
  const at = (iso: string) => dueDay(Date.parse(iso), 6, 'America/New_York');
  expect([at('2026-11-23T10:59:59.999Z'), at('2026-11-23T11:00:00.000Z')]).toEqual([
    '2026-11-21',
    '2026-11-22',
  ]);
  expect([at('2026-03-08T09:59:59.999Z'), at('2026-03-08T10:00:00.000Z')]).toEqual([
    '2026-03-06',
    '2026-03-07',
  ]);
  expect([at('2026-11-01T10:59:59.999Z'), at('2026-11-01T11:00:00.000Z')]).toEqual([
    '2026-10-30',
    '2026-10-31',
  ]);
  expect(dueDay(Date.parse('2026-11-23T00:00:00.000Z'), 0, 'UTC')).toBe('2026-11-22');
});
