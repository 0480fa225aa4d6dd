import { expect, test } from 'vitest';
import { searchedDay } from '../../server/platform/searched-day.ts';

const US = { country: 'US', timeZone: 'America/New_York' };
const DE = { country: 'DE', timeZone: 'Europe/Berlin' };

test.each([
  ['2026-11-23', US, '2026-11-23T05:00:00.000Z', '2026-11-24T05:00:00.000Z'],
  [' 11/23/2026 ', US, '2026-11-23T05:00:00.000Z', '2026-11-24T05:00:00.000Z'],
  ['23/11/2026', DE, '2026-11-22T23:00:00.000Z', '2026-11-23T23:00:00.000Z'],
  ['23.11.2026', DE, '2026-11-22T23:00:00.000Z', '2026-11-23T23:00:00.000Z'],
  ['3.1.2026', US, '2026-01-03T05:00:00.000Z', '2026-01-04T05:00:00.000Z'],
])('%s is a day by the clocks of the installation', (typed, locality, since, until) => {
  expect(searchedDay(typed, locality)).toEqual({ since, until });
});

test.each(['2026-02-30', '11/23', '23/11/2026', '2026', 'Acme', '+12025550123', ''])(
  '%s is no day',
  (typed) => {
    expect(searchedDay(typed, US)).toBeNull();
  },
);
