import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { type RateCard as RateCardShape, rateRoutes } from '../../shared/api/routing-rates.ts';
import { deliveryRoutes } from '../../shared/api/routing-routes.ts';
import { createRooms } from '../../shared/client/rooms.ts';
import { origin } from './client.ts';
import { queryClient } from './queries.ts';

/** Client of the rate cards. It is loaded with the screen of costs, not with the first screen. */
const { rates, routes } = createRooms({ rates: rateRoutes, routes: deliveryRoutes }, origin);

export { rates };

export type RateCard = z.infer<typeof RateCardShape>;

/** Rate cards have no events: they are read again on every visit. */
const ASKED_AGAIN = { refetchOnMount: 'always', refetchOnWindowFocus: 'always' } as const;

/** The routes that a rate card may be of. */
export const cardRoutesQuery = queryOptions({
  queryKey: ['rate-cards', 'routes'],
  queryFn: async ({ signal }) => (await routes.listDeliveryRoutes({ query: { limit: '200' }, signal })).items,
  ...ASKED_AGAIN,
});

/** Finds out whether any rate card exists. */
export const anyRateCardQuery = queryOptions({
  queryKey: ['rate-cards', 'any'],
  queryFn: async ({ signal }) =>
    (await rates.listRateCards({ query: { limit: '1' }, signal })).items.length > 0,
  ...ASKED_AGAIN,
});

/** All of them, oldest first: there are a few for each provider. */
export const rateCardsQuery = queryOptions({
  queryKey: ['rate-cards', 'all'],
  queryFn: async ({ signal }) => {
    const cards: RateCard[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query = { limit: '200', ...(cursor !== '' && { cursor }) };
      const page: Awaited<ReturnType<typeof rates.listRateCards>> = await rates.listRateCards({
        query,
        signal,
      });
      cards.push(...page.items);
      cursor = page.next_cursor;
    }
    return cards;
  },
  ...ASKED_AGAIN,
});

/** One card with all its versions. */
export const rateCardQuery = (id: string) =>
  queryOptions({
    queryKey: ['rate-cards', 'one', id],
    queryFn: ({ signal }) => rates.getRateCard({ params: { id }, signal }),
    ...ASKED_AGAIN,
  });

/** Reads again after a change of one's own. */
export async function rateCardsChanged(): Promise<void> {
  await Promise.all(
    ['rate-cards', 'costs', 'quote'].map((name) => queryClient.invalidateQueries({ queryKey: [name] })),
  );
}
