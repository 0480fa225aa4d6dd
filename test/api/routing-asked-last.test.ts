import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reasonTriedLast } from '../../server/features/routing/tried-last.ts';
import { isoTime } from '../../server/platform/clock.ts';
import { MINUTE } from '../setup/manual-clock.ts';
import { BUSY, type RouteGateway, startRouteGateway } from '../setup/route-gateway.ts';
import { STORES, withoutPostgres } from '../setup/stores.ts';

const NOW = Date.UTC(2026, 10, 22, 10);

describe('a route that failed lately', () => {
  const attempts = (outcomes: string, minutesAgo: number) =>
    [...outcomes].map((letter, i) => ({
      outcome: ({ s: 'success', f: 'failed', d: 'doubt' } as const)[letter as 's'],
      ended_at: isoTime(NOW - (minutesAgo + i) * MINUTE),
    }));
  test.each([
    ['fff', 1, true],
    ['fsfsf', 29, true],
    ['dfffd', 0, true],
    ['ffsss', 0, false],
    ['ffddd', 0, false],
    ['ff', 0, false],
    ['fff', 30, false],
    ['ssfff', 28, false],
    ['ssfff', 27, true],
    ['fff', -20, true],
    ['fff', -60, false],
    ['', 0, false],
  ])('after %s, the last one %i minutes ago, is tried last: %s', (outcomes, minutesAgo, isLast) => {
    const why = reasonTriedLast(attempts(outcomes, minutesAgo), { country: 'IT', now: NOW });
    expect(why !== null).toBe(isLast);
  });

  test('is said to be so in a sentence', () => {
    expect(reasonTriedLast(attempts('fsffs', 5), { country: 'IT', now: NOW })).toBe(
      'It is tried last for 30 minutes, because 3 of its last 5 attempts to Italy failed.',
    );
  });
});

describe.for(STORES)(`routes that are tried last, on %s${withoutPostgres}`, (kind) => {
  let routeGateway: RouteGateway;
  beforeAll(async () => {
    routeGateway = await startRouteGateway(kind);
  });
  afterAll(() => routeGateway.close());
  const ways = async (to: string) =>
    (await routeGateway.requestJson('GET', `/routing/quote?to=${encodeURIComponent(to)}&pages=1`)).ways;
  const namesOf = (quoted: { name: string }[]) => quoted.map(({ name }) => name);

  test('come after the others to that country for half an hour, in the quote and for faxes', async () => {
    await routeGateway.routes('+39', 2);
    await routeGateway.routes('+34', 2);
    for (const n of [1, 2, 3]) {
      expect(namesOf(await ways(`+3906123456${n}`))).toEqual(['One', 'Two']);
      await routeGateway.end(
        await routeGateway.end(await routeGateway.send(`+3906123456${n}`), BUSY, MINUTE),
        { cost: 7 },
        MINUTE,
      );
    }
    const late = await ways('+39061234569');
    expect(namesOf(late)).toEqual(['Two', 'One']);
    expect(late[1].chosen_by).toBe(
      'Route “One”: prefix +39, priority 1. It is tried last for 30 minutes, because 3 of its last 3 attempts to Italy failed.',
    );
    expect((await routeGateway.send('+39061234569')).route?.name).toBe('Two');
    // Elsewhere it does as well as ever.
    expect((await routeGateway.send('+34911234567')).route?.name).toBe('One');
    routeGateway.gateway.clock.advance(31 * MINUTE);
    expect((await routeGateway.send('+39061234570')).route?.name).toBe('One');
  });

  test('are counted for themselves at a destination', async () => {
    const { routes, recommendation } = await routeGateway.requestJson(
      'GET',
      '/routing/destinations/%2B39061234561',
    );
    expect(routes).toMatchObject([
      { backend: 'cloudone', name: 'One', days_30: { failed: 1, success: 0 } },
      { backend: 'cloudone', name: 'Two', days_30: { failed: 0, success: 1 } },
    ]);
    expect(recommendation).toEqual({
      backend: 'cloudone',
      route_id: routes[1].route_id,
      reason: 'Two delivered 1 of 1 in 30 days and costs $0.07 a page; One failed 1 of 1.',
    });
  });
});
