import { describe, expect, test } from 'vitest';
import { type RouteCounts, type RouteStanding, recommend } from '../../server/features/routing/recommend.ts';

const NONE: RouteCounts = { success: 0, failed: 0, doubt: 0, pages: 0, amounts: [], known: 0, unknown: 0 };

/** Creates a route that cost `amount` for its pages, or whose cost is unknown. */
function route(backend: string, outcomes: [number, number, number], amount?: string, currency = 'USD') {
  const [success, failed, doubt] = outcomes;
  const costs =
    amount === undefined ? { unknown: success } : { known: success, amounts: [{ amount, currency }] };
  const days_30 = { ...NONE, success, failed, doubt, pages: success, ...costs };
  return {
    backend,
    route_id: `id of ${backend}`,
    name: backend,
    days_30,
    days_90: days_30,
  } satisfies RouteStanding;
}
const old = (standing: RouteStanding): RouteStanding => ({ ...standing, days_30: NONE });

describe('the recommended route', () => {
  test.each<[string, RouteStanding[], string | null, string]>([
    [
      'is one that delivers, however dear',
      [route('cloudone', [2, 3, 0], '0.02'), route('cloudtwo', [9, 0, 0], '0.63')],
      'cloudtwo',
      'cloudtwo delivered 9 of 9 in 30 days and costs $0.07 a page; cloudone failed 3 of 5.',
    ],
    [
      'is the cheaper one of two that deliver',
      [route('cloudone', [4, 0, 0], '0.40'), route('cloudtwo', [2, 1, 0], '0.10')],
      'cloudtwo',
      'cloudtwo delivered 2 of 3 in 30 days and costs $0.05 a page; cloudone delivered 4 of 4 and costs $0.10 a page.',
    ],
    [
      'is the one that delivers better where prices are of different currencies',
      [route('cloudone', [3, 1, 0], '0.03'), route('cloudtwo', [5, 0, 0], '9.00', 'EUR')],
      'cloudtwo',
      'cloudtwo delivered 5 of 5 in 30 days and costs €1.80 a page; cloudone failed 1 of 4.',
    ],
    [
      'is never taken for a price that nobody knows',
      [route('cloudone', [3, 0, 0]), route('cloudtwo', [5, 0, 0], '5.00')],
      'cloudtwo',
      'cloudtwo delivered 5 of 5 in 30 days and costs $1.00 a page; cloudone delivered 3 of 3 at unknown cost.',
    ],
    [
      'is that of 90 days where there was nothing since',
      [old(route('cloudone', [1, 0, 1]))],
      'cloudone',
      'cloudone delivered 1 of 2 in 90 days.',
    ],
    [
      'is none where none has delivered',
      [route('cloudone', [0, 2, 0]), route('cloudtwo', [0, 0, 1])],
      null,
      'No route delivered to this number in 30 days: cloudone failed 2 of 2; cloudtwo left 1 of 1 to be confirmed.',
    ],
    ['is none where nothing was sent', [], null, 'No fax to this number has ended in the last 90 days.'],
  ])('%s', (_, routes, backend, reason) => {
    expect(recommend(routes)).toEqual({ backend, route_id: backend && `id of ${backend}`, reason });
    expect(recommend(routes.toReversed())).toMatchObject({ backend });
  });
});
