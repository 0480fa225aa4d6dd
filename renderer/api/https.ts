import { httpsRoutes } from '../../shared/api/https.ts';
import { createRooms } from '../../shared/client/rooms.ts';
import { origin } from './client.ts';

/** How other computers reach the gateway. */
export const { https } = createRooms({ https: httpsRoutes }, origin);
