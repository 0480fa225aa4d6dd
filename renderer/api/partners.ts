import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { directRoutes } from '../../shared/api/direct.ts';
import type { DirectPartner } from '../../shared/api/direct-partners.ts';
import { createRooms } from '../../shared/client/rooms.ts';
import { origin } from './client.ts';
import { queryClient } from './queries.ts';

export type Partner = z.infer<typeof DirectPartner>;

/** Client of the routes of direct delivery. Loaded with the screen of partners. */
export const { direct } = createRooms({ direct: directRoutes }, origin);

/** Begins the keys of everything about partners. */
export const PARTNERS = 'partners';

/** Card of this installation. */
export const ownCardQuery = queryOptions({
  queryKey: [PARTNERS, 'own-card'],
  queryFn: ({ signal }) => direct.getCard({ signal }),
  staleTime: 0,
});

/** Reads again after a change of one's own, before its event comes. */
export async function partnersChanged(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: [PARTNERS] });
}
