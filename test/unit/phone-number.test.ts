import { describe, expect, test } from 'vitest';
import * as console from '../../renderer/ui/phone-rules.ts';
import * as gateway from '../../server/platform/phone-number.ts';

const TYPED: readonly (readonly [text: string, country: string, e164: string | null])[] = [
  ['+12025550123', 'US', '+12025550123'],
  ['+1 (202) 555-0123', 'DE', '+12025550123'],
  ['202 555 0123', 'US', '+12025550123'],
  ['202.555.0123', 'US', '+12025550123'],
  ['202 555 0123', 'ZZ', '+12025550123'],
  ['202 555 0123', '', '+12025550123'],
  ['1 202 555 0123', 'US', '+12025550123'],
  ['011 49 30 1234567', 'US', '+49301234567'],
  ['030/1234567', 'DE', '+49301234567'],
  ['0049 30 1234567', 'DE', '+49301234567'],
  ['06 12345678', 'IT', '+390612345678'],
  ['  +44 20 7946 0123  ', 'US', '+442079460123'],
  ['+44 (0)20 7946 0123', 'US', '+442079460123'],
  ['+1\u00a0202\u00a0555\u00a00123', 'US', '+12025550123'],
  // Nobody has assigned these country codes yet.
  ['+999 123 4567', 'US', '+9991234567'],
  ['+999 (123) 45-67', 'US', '+9991234567'],
  ['+999 12+34567', 'US', null],
  ['+999 12345678901234', 'US', null],
  ['+999 12', 'US', null],
  ['+0 202 555 0123', 'US', null],
  ['+12025550', 'US', null],
  ['+120255501234567', 'US', null],
  ['2025550', 'US', null],
  ['911', 'US', null],
  ['+', 'US', null],
  ['++12025550123', 'US', null],
  ['', 'US', null],
  ['   ', 'US', null],
  ['mill valley', 'US', null],
  ['1-800-FLOWERS', 'US', null],
  ['+1 202 555 0123 ext 4', 'US', null],
  ['+1 202 555 0123;ext=4', 'US', null],
  ['+1 202 555 0123 x4', 'US', null],
  ['+1 202 555 0123, 4', 'US', null],
  ['tel:+12025550123', 'US', null],
  ['٢٠٢٥٥٥٠١٢٣', 'US', null],
  [`+1 202${' '.repeat(40)}5550123`, 'US', null],
];

test.each([
  ['+1 (202) 555-0123', '+12025550123'],
  ['202 555 0123', '+12025550123'],
  ['+123456', '+123456'],
  ['+12025550', '+12025550'],
  ['+120255501234567', '+120255501234567'],
  ['+12345678901234567890', '+12345678901234567890'],
  ['+123456789012345678901', null],
  ['+12345', null],
  ['+1 2025550', null],
  ['2025550', null],
])('the number %j of a request is %j', (text, number) => {
  expect(gateway.requestedNumber(text, 'US')).toBe(number);
});

describe('a number that is typed', () => {
  test.each(TYPED)('%j in %j is %j for the console and the gateway', (text, country, e164) => {
    expect(gateway.toE164(text, country)).toBe(e164);
    expect(console.toE164(text, country)).toBe(e164);
  });

  test('rule (screens): console and gateway read a typed number in the same way in every country', () => {
    expect(console.COUNTRIES.length).toBeGreaterThan(200);
    for (const country of console.COUNTRIES) {
      const national = gateway.exampleNumber(country);
      const whole = gateway.toE164(national, country) ?? '';
      const spaced = gateway.formatNumber(whole);
      const texts = [national, whole, spaced].flatMap((text) => [
        text,
        text.slice(0, -1),
        text.slice(0, -3),
        `${text}7`,
        `${text}7777`,
        text.replaceAll(' ', '-'),
      ]);
      for (const text of texts)
        for (const within of [country, 'US', 'DE'])
          expect(console.toE164(text, within), `${text} in ${within}`).toBe(gateway.toE164(text, within));
      expect(console.formatNumber(whole)).toBe(spaced);
      const read = console.readNumber(whole, 'US');
      expect(read).toMatchObject({ kind: 'number', display: spaced, country: gateway.countryOf(whole) });
    }
  });
});
