import { expect, test } from 'vitest';
import { drawnHeader, headerOf } from '../../server/features/outbound/plan/header.ts';

const settings = (organization: string | null, ownNumber: string | null, timeZone: string | null = null) => ({
  organization: () => organization,
  ownNumber: () => ownNumber,
  timeZone: () => timeZone,
});
const NOON = Date.parse('2026-03-01T12:00:00Z');
const TO = '+12025550123';

test.each([
  ['Example Clinic', '+12025550100', 'Example Clinic +1 202 555 0100 -> +1 202 555 0123'],
  // Shorter numbers make room.
  ['Example Heart Center', '+12025550100', 'Example Heart Center +12025550100 -> +12025550123'],
  ['  Example Clinic ', null, 'Example Clinic -> +1 202 555 0123'],
  [null, '+12025550100', '+1 202 555 0100 -> +1 202 555 0123'],
])('the header line of %j with %j names the recipient: %j', (organization, number, text) => {
  expect(headerOf(settings(organization, number), TO)).toMatchObject({ text, hasRecipient: true });
  expect(text.length).toBeLessThanOrEqual(50);
});

test.each([
  ['A'.repeat(30), '+12025550100', `${'A'.repeat(30)} +1 202 555 0100`],
  ['A'.repeat(60), '+12025550100', `${'A'.repeat(34)} +1 202 555 0100`],
  ['A'.repeat(60), null, 'A'.repeat(50)],
])('the recipient is left out before the sender is cut: %j with %j is %j', (organization, number, text) => {
  expect(headerOf(settings(organization, number), TO)).toMatchObject({ text, hasRecipient: false });
});

test('a recipient without a number yet is left out', () => {
  const header = headerOf(settings('Example Clinic', '+12025550100'), null);
  expect(header).toMatchObject({ text: 'Example Clinic +1 202 555 0100', hasRecipient: false });
});

test('a sender without name and number has no header line', () => {
  expect(headerOf(settings(null, null), TO)).toBeNull();
});

test('the drawn line has the time of the installation and the page only where the provider prints them so', () => {
  const header = headerOf(settings('Clinic', null, 'America/Chicago'), null);
  if (!header) throw new Error('there is a header');
  expect(header.timeZone).toBe('America/Chicago');
  expect(drawnHeader(header, NOON, { printsOurTime: true, numbersPages: true })).toEqual({
    parts: ['2026-03-01 06:00', 'Clinic'],
    isNumbered: true,
  });
  expect(drawnHeader(header, NOON, { printsOurTime: false, numbersPages: false })).toEqual({
    parts: ['[date and time]', 'Clinic', '[page]'],
    isNumbered: false,
  });
});
