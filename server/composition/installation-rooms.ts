import { createGateways } from '../features/gateways/room.ts';
import type { Room } from '../features/room.ts';
import { createDataKeyRoom } from './data-key-replacement.ts';
import type { Dependencies, Foundation } from './dependencies.ts';

/** Creates the rooms about the installation as a whole: its gateways and its data key. */
export function createInstallationRooms(foundation: Foundation, shared: Dependencies): Room[] {
  return [createGateways(foundation), createDataKeyRoom(foundation, shared)];
}
