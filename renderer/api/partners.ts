import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { directRoutes } from '../../shared/api/direct.ts';
import { type DirectDeliveryItem, directDeliveryRoutes } from '../../shared/api/direct-deliveries.ts';
import type { DirectPartner } from '../../shared/api/direct-partners.ts';
import { createRooms } from '../../shared/client/rooms.ts';
import { origin } from './client.ts';
import { queryClient } from './queries.ts';

export type Partner = z.infer<typeof DirectPartner>;

/** Client of the routes of direct delivery. Loaded with the screen of partners. */
export const { direct } = createRooms({ direct: { ...directRoutes, ...directDeliveryRoutes } }, origin);

export type DirectDelivery = z.infer<typeof DirectDeliveryItem>;

/** Begins the keys of everything about partners. */
export const PARTNERS = 'partners';

/** Card of this installation. */
export const ownCardQuery = queryOptions({
  queryKey: [PARTNERS, 'own-card'],
  queryFn: ({ signal }) => direct.getCard({ signal }),
  staleTime: 0,
});

/** Documents of a list of recent ones. */
const RECENT = 5;

/** Newest documents that were exchanged with a partner; read again after each exchange. */
export const recentDeliveriesQuery = ({ id, last_exchange_at }: Pick<Partner, 'id' | 'last_exchange_at'>) =>
  queryOptions({
    queryKey: [PARTNERS, 'deliveries', id, last_exchange_at],
    queryFn: ({ signal }) => direct.listDeliveries({ query: { partner_id: id, limit: RECENT }, signal }),
    staleTime: 0,
  });

/** Reads again after a change of one's own, before its event comes. */
export async function partnersChanged(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: [PARTNERS] });
}
