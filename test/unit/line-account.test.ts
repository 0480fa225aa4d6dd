import { expect, test } from 'vitest';
import { dialedNumber, sipAccountOf } from '../../server/adapters/providers/sip/account.ts';
import { isHost, isNetwork } from '../../server/adapters/providers/sip/network-names.ts';
import { sipSettings } from '../../server/adapters/providers/sip/settings.ts';
import type { ValuesOf } from '../../server/platform/setting-kinds.ts';

type Values = ValuesOf<typeof sipSettings>;
const defaults = Object.fromEntries(
  Object.entries(sipSettings).map(([name, setting]) => [name, setting.default]),
) as unknown as Values;
const accountOf = (values: Partial<Values>) => sipAccountOf({ ...defaults, ...values });
const whole = {
  TELEPHONY_PASSWORD: 'engine-secret',
  TRUNK_HOST: 'sip.example.com',
  TRUNK_USER: 'office1',
  TRUNK_PASSWORD: 'trunk-secret',
};

test('an account of the line names its trunk user, and its host where the carrier identifies it by address', () => {
  expect(accountOf(whole)).toMatchObject({ backend: 'sip', accountId: 'sip:office1', lines: 2 });
  const byAddress = {
    ...whole,
    TRUNK_AUTHENTICATION: 'address',
    TRUNK_USER: null,
    TRUNK_PASSWORD: null,
  } as const;
  expect(accountOf(byAddress)).toMatchObject({ accountId: 'sip:sip.example.com' });
  expect(accountOf({ ...whole, TRUNK_NAME: 'carrier-b' })).toMatchObject({ accountId: 'sip:office1' });
  expect(JSON.stringify(accountOf(whole))).not.toContain('trunk-secret');
});

test('what an account of the line lacks is said in one sentence', () => {
  const missing = (values: Partial<Values>) => accountOf({ ...whole, ...values });
  expect(missing({ TELEPHONY_PASSWORD: null })).toMatch(/password of the telephone engine first\.$/u);
  expect(missing({ TRUNK_HOST: null })).toMatch(/host of the trunk first\.$/u);
  expect(missing({ TRUNK_PASSWORD: null })).toMatch(/user and password of the trunk first\.$/u);
});

test.each([
  ['plus_e164', '', '+12025550123', '+12025550123'],
  ['e164', '', '+12025550123', '12025550123'],
  ['e164', '1234', '+12025550123', '123412025550123'],
  ['nanp_10', '', '+12025550123', '2025550123'],
  ['nanp_11', '', '+12025550123', '12025550123'],
  ['nanp_10', '', '+493012345678', '011493012345678'],
  ['nanp_11', '9', '+493012345678', '9011493012345678'],
] as const)('a number is dialed as %s with the prefix “%s”', (dialFormat, dialPrefix, to, dialed) => {
  expect(dialedNumber({ dialFormat, dialPrefix }, to)).toBe(dialed);
});

test('hosts and networks hold nothing that a line of a configuration could take for more', () => {
  expect(
    ['sip.example.com', '192.0.2.7', '2001:db8::7', 'localhost'].filter((text) => !isHost(text)),
  ).toEqual([]);
  expect(['', 'a b', 'a\nb', '[x]', 'host;x', '-a', 'a_b', 'a'.repeat(254)].filter(isHost)).toEqual([]);
  expect(['192.168.1.0/24', 'fd00::/8', '10.0.0.0/8'].filter((text) => !isNetwork(text))).toEqual([]);
  expect(['192.168.1.0', '192.168.1.0/33', 'x/8', '10.0.0.0/8/8', '10.0.0.0/'].filter(isNetwork)).toEqual([]);
});

test('the folder at the engine holds nothing that the dialplan takes for its own', () => {
  const fits = (folder: string) => sipSettings.TELEPHONY_ENGINE_FOLDER.schema.safeParse(folder).success;
  expect(['/var/lib/faxdesk', '/mnt/c/Users/A B/faxdesk', '/'].filter((folder) => !fits(folder))).toEqual([]);
  const refused = ['data', '/a,b', '/a"b', '/a$(x)', '/a${x}', '/a&b', '/a;b', '/a|b', '/a\nb', '/a\\b'];
  expect(refused.filter(fits)).toEqual([]);
});
