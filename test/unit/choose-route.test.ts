import { describe, expect, test } from 'vitest';
import { chooseRoutes, prefixesOf, type RouteRule } from '../../server/features/routing/choose-route.ts';

const route = (id: string, prefixes: string[], given: Partial<RouteRule> = {}): RouteRule => ({
  id,
  name: id,
  prefixes,
  priority: 100,
  enabled: true,
  ...given,
});

const ROUTES = [
  route('all', []),
  route('germany', ['+49', '+43']),
  route('berlin', ['+4930'], { priority: 900 }),
  route('berlin too', ['+4930'], { priority: 5 }),
  route('off', ['+493012'], { enabled: false }),
  route('usa', ['+1']),
  route('usa later', ['+1']),
];

describe('the routes of a fax', () => {
  test.each([
    ['+15550100', null, ['usa', 'usa later', 'all']],
    ['+4930123456', null, ['berlin too', 'berlin', 'germany', 'all']],
    ['+498912345', null, ['germany', 'all']],
    ['+431234567', null, ['germany', 'all']],
    ['+353123456', null, ['all']],
    ['+498912345', 'usa', ['usa', 'germany', 'all']],
    ['+498912345', 'all', ['all', 'germany']],
    ['+498912345', 'off', ['germany', 'all']],
    ['+498912345', 'gone', ['germany', 'all']],
  ])(
    'rule (routing): one pure function chooses the routes of a fax [to %s, preferred %s: %j]',
    (to, preferred, ids) => {
      expect(chooseRoutes(ROUTES, { to, preferred }).map(({ route: { id } }) => id)).toEqual(ids);
      // In whatever order they are read.
      expect(chooseRoutes([...ROUTES].reverse(), { to, preferred }).map(({ route: { id } }) => id)).toEqual(
        ids,
      );
    },
  );

  test('are none where no route takes the number', () => {
    expect(chooseRoutes([route('usa', ['+1'])], { to: '+4930123', preferred: null })).toEqual([]);
    expect(chooseRoutes([], { to: '+4930123', preferred: null })).toEqual([]);
  });

  test('that failed lately come last, also the preferred one', () => {
    const why = 'It is asked last for 30 minutes.';
    const triedLast = new Map([['germany', why]]);
    const found = chooseRoutes(ROUTES, { to: '+498912345', preferred: 'germany', triedLast });
    expect(found.map(({ route: { id } }) => id)).toEqual(['all', 'germany']);
    expect(found[1]?.reason).toBe(
      'Route “germany”: preferred for this contact. It is asked last for 30 minutes.',
    );
    // With no other there is nothing to come after.
    const only = chooseRoutes([route('one', [])], {
      to: '+1',
      preferred: null,
      triedLast: new Map([['one', why]]),
    });
    expect(only.map(({ route: { id } }) => id)).toEqual(['one']);
  });

  test.each([
    ['+498912345', null, 'Route “germany”: longest prefix +49.'],
    ['+4930123456', null, 'Route “berlin too”: longest prefix +4930, priority 5.'],
    ['+353123456', null, 'Route “all”: it is for all numbers.'],
    ['+353123456', 'usa', 'Route “usa”: preferred for this contact.'],
  ])('to %s, preferred %s, say why: %s', (to, preferred, reason) => {
    expect(chooseRoutes(ROUTES, { to, preferred })[0]?.reason).toBe(reason);
  });

  test('are looked for by every beginning of the number', () => {
    expect(prefixesOf('+4930')).toEqual(['', '+4', '+49', '+493', '+4930']);
  });
});
