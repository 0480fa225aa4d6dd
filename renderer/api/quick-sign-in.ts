import { quickSignInRoutes } from '../../shared/api/access-quick-sign-in.ts';
import { createRooms } from '../../shared/client/rooms.ts';
import { origin } from './client.ts';

/** Signing in with a PIN or a card, and those of the person who is here. */
export const { quickSignIn } = createRooms({ quickSignIn: quickSignInRoutes }, origin);
