import { queryOptions } from '@tanstack/react-query';
import { holdsRoutes } from '../../shared/api/holds.ts';
import { createRooms } from '../../shared/client/rooms.ts';
import { origin } from './client.ts';
import { queryClient } from './queries.ts';

export const { holds } = createRooms({ holds: holdsRoutes }, origin);

export type LegalHold = Awaited<ReturnType<typeof holds.listLegalHolds>>['items'][number];
export type NewHold = Parameters<typeof holds.createLegalHold>[0]['body'];

/** A hold with the number of its faxes, and of the documents that only it keeps. */
export const holdQuery = (id: string) =>
  queryOptions({
    queryKey: ['holds', 'one', id],
    queryFn: ({ signal }) => holds.getLegalHold({ params: { id }, signal }),
    staleTime: 0,
  });

/** Reads the holds and everything that names them again. */
export async function holdsChanged(): Promise<void> {
  await queryClient.invalidateQueries();
}
