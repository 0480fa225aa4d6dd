import { expect, test } from 'vitest';
import { drawnHeader, headerOf } from '../../server/features/outbound/accept/header.ts';

const settings = (organization: string | null, ownNumber: string | null, timeZone: string | null = null) => ({
  organization: () => organization,
  ownNumber: () => ownNumber,
  timeZone: () => timeZone,
});
const NOON = Date.parse('2026-03-01T12:00:00Z');

test.each([
  ['Example Clinic', '+12025550100', 'Example Clinic +1 202 555 0100'],
  ['  Example Clinic ', null, 'Example Clinic'],
  [null, '+12025550100', '+1 202 555 0100'],
  ['A'.repeat(60), '+12025550100', `${'A'.repeat(34)} +1 202 555 0100`],
  ['A'.repeat(60), null, 'A'.repeat(50)],
])('the header line of %j with %j is %j', (organization, number, text) => {
  expect(headerOf(settings(organization, number))?.text).toBe(text);
});

test('a sender of whom nothing is known has no header line', () => {
  expect(headerOf(settings(null, null))).toBeNull();
});

test('the drawn line has the time of the installation only where the provider prints it', () => {
  const header = headerOf(settings('Clinic', null, 'America/Chicago'));
  if (!header) throw new Error('there is a header');
  expect(header.timeZone).toBe('America/Chicago');
  expect(drawnHeader(header, NOON, { printsOurTime: true })).toBe('2026-03-01 06:00  Clinic');
  expect(drawnHeader(header, NOON, { printsOurTime: false })).toBe('[date and time]  Clinic');
});
