import { describe, expect, test } from 'vitest';
import { parseCheapHours } from '../../server/platform/cheap-hours.ts';
import { nextOpen, type WeekHours } from '../../server/platform/local-hours.ts';

const daily = (from: string, to: string): WeekHours[] => [{ days: [1, 2, 3, 4, 5, 6, 7], from, to }];
const opens = (hours: readonly WeekHours[], now: string, zone: string): string | null => {
  const at = nextOpen(hours, Date.parse(now), zone);
  return at === null ? null : new Date(at).toISOString();
};

describe('hours of a week', () => {
  test.each([
    ['in the hours', '2026-11-23T15:00:00.123Z', '2026-11-23T15:00:00.123Z'],
    ['before them on a weekday', '2026-11-23T10:00:00.000Z', '2026-11-23T13:00:00.000Z'],
    ['at their end', '2026-11-23T22:00:00.000Z', '2026-11-24T13:00:00.000Z'],
    ['on a Friday evening', '2026-11-27T23:30:00.000Z', '2026-11-30T13:00:00.000Z'],
  ])('are found from a moment %s', (_name, now, at) => {
    const office = [{ days: [1, 2, 3, 4, 5], from: '08:00', to: '17:00' }];
    expect(opens(office, now, 'America/New_York')).toBe(at);
  });

  test('follow the clocks of their zone when summer time begins and ends', () => {
    const morning = daily('08:00', '09:00');
    // Berlin: 8:00 is 7:00 UTC in winter, 6:00 UTC in summer.
    expect(opens(morning, '2026-03-28T12:00:00.000Z', 'Europe/Berlin')).toBe('2026-03-29T06:00:00.000Z');
    expect(opens(morning, '2026-10-24T12:00:00.000Z', 'Europe/Berlin')).toBe('2026-10-25T07:00:00.000Z');
    expect(opens(morning, '2026-03-07T20:00:00.000Z', 'America/New_York')).toBe('2026-03-08T12:00:00.000Z');
    expect(opens(morning, '2026-10-31T20:00:00.000Z', 'America/New_York')).toBe('2026-11-01T13:00:00.000Z');
  });

  test('that begin in a skipped hour begin with the next one, and those that are skipped whole come on the next day', () => {
    // Berlin skips 2:00 to 3:00 on March 29, 2026, which is 1:00 UTC.
    expect(opens(daily('02:30', '05:00'), '2026-03-28T23:30:00.000Z', 'Europe/Berlin')).toBe(
      '2026-03-29T01:00:00.000Z',
    );
    expect(opens(daily('02:15', '02:45'), '2026-03-28T23:30:00.000Z', 'Europe/Berlin')).toBe(
      '2026-03-30T00:15:00.000Z',
    );
    const sundays = [{ days: [7], from: '02:15', to: '02:45' }];
    expect(opens(sundays, '2026-03-28T23:30:00.000Z', 'Europe/Berlin')).toBe('2026-04-05T00:15:00.000Z');
  });

  test('are open twice where an hour comes twice', () => {
    // Berlin: 2:00 to 3:00 comes twice on October 25, 2026, from 0:00 and from 1:00 UTC.
    const hours = daily('02:15', '02:45');
    expect(opens(hours, '2026-10-24T23:00:00.000Z', 'Europe/Berlin')).toBe('2026-10-25T00:15:00.000Z');
    expect(opens(hours, '2026-10-25T00:45:00.000Z', 'Europe/Berlin')).toBe('2026-10-25T01:15:00.000Z');
    expect(opens(hours, '2026-10-25T01:45:00.000Z', 'Europe/Berlin')).toBe('2026-10-26T01:15:00.000Z');
  });

  test('know half hours of summer time, skipped days and zones far from Greenwich', () => {
    // Lord Howe goes on by 30 minutes at 2:00 on October 4, 2026 (15:30 UTC the day before).
    expect(opens(daily('02:10', '06:00'), '2026-10-03T15:00:00.000Z', 'Australia/Lord_Howe')).toBe(
      '2026-10-03T15:30:00.000Z',
    );
    // Samoa had no December 30, 2011.
    const fridays = [{ days: [5], from: '09:00', to: '10:00' }];
    expect(opens(fridays, '2011-12-29T22:00:00.000Z', 'Pacific/Apia')).toBe('2012-01-05T19:00:00.000Z');
    expect(opens(daily('08:00', '09:00'), '2026-11-23T20:00:00.000Z', 'Pacific/Kiritimati')).toBe(
      '2026-11-24T18:00:00.000Z',
    );
  });

  test('agree with a walk through every minute of the days around changes of the clocks', () => {
    const zones = ['Europe/Berlin', 'America/New_York', 'America/St_Johns', 'Africa/Cairo', 'Asia/Beirut'];
    const hours = [
      { days: [6, 7, 1], from: '00:00', to: '00:30' },
      { days: [7], from: '01:45', to: '02:20' },
      { days: [1], from: '23:30', to: '24:00' },
    ];
    for (const zone of zones)
      for (const start of ['2026-03-07T00:00:00Z', '2026-03-28T00:00:00Z', '2026-10-24T00:00:00Z'])
        expect(disagreements(hours, Date.parse(start), zone), `${zone} ${start}`).toEqual([]);
  });

  test('without any hour never come', () => {
    expect(nextOpen([], Date.parse('2026-11-23T10:00:00Z'), 'UTC')).toBeNull();
  });
});

/** Moments, every two hours of three days, whose answer is not the first open minute by the clock on the wall. */
function disagreements(hours: readonly WeekHours[], start: number, zone: string): string[] {
  const wall = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const days = ['', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
  const isOpen = (at: number) => {
    const [day = '', time = ''] = wall.format(at).split(/,? /u);
    return hours.some((each) => each.days.includes(days.indexOf(day)) && each.from <= time && time < each.to);
  };
  const found: string[] = [];
  const minutes = Array.from({ length: 3 * 24 * 60 }, (_, i) => start + i * 60_000);
  const open = minutes.filter(isOpen);
  for (const at of minutes.filter((_, i) => i % 120 === 0)) {
    const next = open.find((minute) => minute >= at);
    if (next !== undefined && nextOpen(hours, at, zone) !== next) found.push(new Date(at).toISOString());
  }
  return found;
}

describe('cheap hours', () => {
  test('are read with days, spans of days, and nights', () => {
    expect(parseCheapHours('Sat,Sun 00:00-24:00')).toEqual([{ days: [6, 7], from: '00:00', to: '24:00' }]);
    expect(parseCheapHours(' fri-mon 08:00-12:00 ')).toEqual([
      { days: [5, 6, 7, 1], from: '08:00', to: '12:00' },
    ]);
    expect(parseCheapHours('Mon-Fri 18:00-08:00')).toEqual([
      { days: [1, 2, 3, 4, 5], from: '18:00', to: '24:00' },
      { days: [2, 3, 4, 5, 6], from: '00:00', to: '08:00' },
    ]);
    expect(parseCheapHours('daily 22:00-00:00')).toEqual([
      { days: [1, 2, 3, 4, 5, 6, 7], from: '22:00', to: '24:00' },
    ]);
  });

  test.each([
    '',
    'Mon',
    'Mon 8:00-9:00',
    'Mon 08:00-08:00',
    'Mon 08:00-25:00',
    'Noday 08:00-09:00',
    'Mon-Fri',
  ])('do not read %j', (text) => {
    expect(parseCheapHours(text)).toEqual([]);
  });
});
