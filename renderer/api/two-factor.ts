import { passkeyRoutes } from '../../shared/api/access-passkeys.ts';
import { twoFactorRoutes } from '../../shared/api/access-two-factor.ts';
import { createRooms } from '../../shared/client/rooms.ts';
import { origin } from './client.ts';

/** The second factor of the person who is here, and passkeys. */
export const { twoFactor, passkeys } = createRooms(
  { twoFactor: twoFactorRoutes, passkeys: passkeyRoutes },
  origin,
);
