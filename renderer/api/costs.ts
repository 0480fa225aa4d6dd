import { costRoutes } from '../../shared/api/routing-costs.ts';
import { limitRoutes } from '../../shared/api/routing-limits.ts';
import { createRooms } from '../../shared/client/rooms.ts';
import { origin } from './client.ts';

/** Comes with what shows costs and not with the first screen. */
export const { costs, limits } = createRooms({ costs: costRoutes, limits: limitRoutes }, origin);
