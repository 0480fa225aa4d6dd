import { defineRoom, type Room } from '../room.ts';
import { signingServedRoutes } from './routes.ts';
import { createSigningService, type SigningParts, type SigningService } from './service.ts';

interface SigningRoom extends Room {
  readonly service: SigningService;
}

/** The room that signs what leaves the installation as proof. */
export function createSigning(parts: SigningParts): SigningRoom {
  const service = createSigningService(parts);
  const room = defineRoom({
    name: 'signing',
    served: signingServedRoutes(service),
    start: () => service.start(),
  });
  return { ...room, service };
}
