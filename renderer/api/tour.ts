import { queryOptions } from '@tanstack/react-query';
import { deskRoutes } from '../../shared/api/desk.ts';
import { createRooms } from '../../shared/client/rooms.ts';
import type { TourStep } from '../../shared/desk-tour.ts';
import { origin } from './client.ts';
import { queryClient } from './queries.ts';

const { desk } = createRooms({ desk: deskRoutes }, origin);

/** Place of the signed-in person in the tour. */
export const tourQuery = queryOptions({
  queryKey: ['tour'],
  queryFn: ({ signal }) => desk.getTour({ signal }),
});

/** Shows the step at once, and records it. Rejects when it could not be recorded. */
export async function goToStep(step: TourStep): Promise<void> {
  await record({ state: 'begun', step });
}

/** Ends the tour, or declines it. Rejects when that could not be recorded. */
export async function endTour(): Promise<void> {
  await record({ state: 'ended', step: null });
}

/** Offers the tour to a person who is new; nothing changes for one who knows it. */
export async function offerTour(): Promise<void> {
  queryClient.setQueryData(tourQuery.queryKey, await desk.setTour({ body: { state: 'offered' } }));
}

async function record(body: { state: 'begun' | 'ended'; step: TourStep | null }): Promise<void> {
  await queryClient.cancelQueries({ queryKey: tourQuery.queryKey });
  queryClient.setQueryData(tourQuery.queryKey, body);
  await desk.setTour({ body });
}
