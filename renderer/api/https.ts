import { httpsRoutes } from '../../shared/api/https.ts';
import { createRooms } from '../../shared/client/rooms.ts';
import { origin } from './client.ts';

/** Client of the routes for HTTPS access from other computers. */
export const { https } = createRooms({ https: httpsRoutes }, origin);
