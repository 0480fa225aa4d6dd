import { costRoutes } from '../../shared/api/routing-costs.ts';
import { destinationRoutes } from '../../shared/api/routing-destinations.ts';
import { limitRoutes } from '../../shared/api/routing-limits.ts';
import { createRooms } from '../../shared/client/rooms.ts';
import { origin } from './client.ts';

/** Comes with what shows costs and not with the first screen. */
export const { costs, limits, destinations } = createRooms(
  { costs: costRoutes, limits: limitRoutes, destinations: destinationRoutes },
  origin,
);
