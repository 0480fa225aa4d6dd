import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const IN = { 'en-US': '10:06 AM', 'en-GB': '10:06', 'de-DE': '10:06', 'nb-NO': '10:06' };

/** A time of the zone that this test runs in. */
const at = (day: number, hour: number, minute: number) => new Date(2026, 10, day, hour, minute, 14);
const NOW = at(22, 12, 0);

async function formatsIn(language: string) {
  vi.stubGlobal('navigator', { language });
  return import('../../renderer/ui/local-formats.ts');
}

/** Chromium and Node write another kind of space. */
const plain = (text: string) => text.replaceAll(/\s/gu, ' ');

beforeEach(() => vi.resetModules());
afterEach(() => vi.unstubAllGlobals());

test.each(Object.entries(IN))(
  'the clock of %s is written as people there write it',
  async (language, time) => {
    const { formatTime, formatWhen } = await formatsIn(language);
    const iso = at(22, 10, 6).toISOString();
    expect(plain(formatTime(iso))).toBe(time);
    expect(plain(formatWhen(iso, NOW))).toBe(time);
  },
);

test('dates and times of the US', async () => {
  const { formatDay, formatMoment, formatTimeExactly, formatWhen } = await formatsIn('en-US');
  expect(plain(formatTimeExactly(at(22, 16, 6).toISOString()))).toBe('4:06:14 PM');
  expect(plain(formatWhen(at(20, 16, 58).toISOString(), NOW))).toBe('Fri 4:58 PM');
  expect(formatWhen(at(2, 16, 58).toISOString(), NOW)).toBe('Nov 2');
  expect(plain(formatMoment(at(23, 18, 30).toISOString(), NOW))).toBe('Nov 23, 6:30 PM');
  expect(formatDay(at(21, 1, 0), NOW)).toBe('Saturday, November 21');
});

test('times in a sentence are said as people say them', async () => {
  const { formatSpoken } = await formatsIn('en-US');
  const spoken = (time: Date) => plain(formatSpoken(time.toISOString(), NOW));
  expect(spoken(at(22, 9, 0))).toBe('at 9:00 AM');
  expect(spoken(at(21, 9, 0))).toBe('yesterday at 9:00 AM');
  expect(spoken(at(23, 8, 0))).toBe('tomorrow at 8:00 AM');
  // 2026-11-21 is a Saturday.
  expect(spoken(at(16, 16, 58))).toBe('on Monday at 4:58 PM');
  expect(spoken(at(27, 8, 0))).toBe('on Friday at 8:00 AM');
  expect(spoken(at(2, 9, 0))).toBe('on November 2 at 9:00 AM');
  expect(spoken(new Date(2025, 10, 2, 9))).toBe('on November 2, 2025 at 9:00 AM');
});

test('durations, ages and sizes are short and say their unit', async () => {
  const { formatAge, formatBytes, formatDuration } = await formatsIn('en-US');
  expect([0, 52, 420, 160, 3900, 7200].map((seconds) => plain(formatDuration(seconds)))).toEqual([
    '0 s',
    '52 s',
    '7 min',
    '2 min 40 s',
    '1 h 5 min',
    '2 h',
  ]);
  expect(plain(formatAge(at(22, 11, 53).toISOString(), NOW) ?? '')).toBe('7 min');
  expect(plain(formatAge(at(22, 9, 0).toISOString(), NOW) ?? '')).toBe('3 h');
  expect(formatBytes(700)).toBe('700 bytes');
  expect(formatBytes(84_000)).toBe('84 kB');
});
