import { twoFactorRoutes } from '../../shared/api/access-two-factor.ts';
import { createRooms } from '../../shared/client/rooms.ts';
import { origin } from './client.ts';

/** The second factor of the person who is here. */
export const { twoFactor } = createRooms({ twoFactor: twoFactorRoutes }, origin);
