import { expect, test } from 'vitest';
import {
  localDate,
  localDay,
  localMoment,
  localRecord,
  localTime,
} from '../../server/platform/local-time.ts';
import { dateFormat } from '../../shared/date-format.ts';

const AT = Date.parse('2026-11-22T18:05:14.000Z');

test('dates and the clock are written as in the country of the installation', () => {
  const chicago = { country: 'US', timeZone: 'America/Chicago' };
  expect(localTime(AT, chicago)).toBe('12:05 PM');
  expect(localDay(AT, chicago)).toBe('November 22');
  expect(localDate(AT, chicago)).toBe('Nov 22, 2026');
  expect(localMoment(AT, chicago)).toBe('November 22, 2026 at 12:05 PM CST');
  expect(localRecord(AT, chicago)).toBe('Nov 22, 2026, 12:05:14 PM CST');
  const oslo = { country: 'NO', timeZone: 'Europe/Oslo' };
  expect(localTime(AT, oslo)).toBe('19:05');
  expect(localDay(AT, oslo)).toBe('22 November');
  expect(localDate(AT, oslo)).toBe('22 Nov 2026');
  expect(localMoment(AT, oslo)).toBe('22 November 2026 at 19:05 CET');
  expect(localRecord(AT, oslo)).toBe('22 Nov 2026, 19:05:14 CET');
});

test('the format of a locale and zone is built once', () => {
  const format = (timeZone?: string) => dateFormat('en-US', { timeZone, dateStyle: 'short' });
  expect(format('Europe/Oslo')).toBe(format('Europe/Oslo'));
  expect(format('Asia/Tokyo')).not.toBe(format('Europe/Oslo'));
  expect(format()).toBe(format());
});
