import { defineRoom, type Room } from '../room.ts';
import { gatewaysServedRoutes } from './routes.ts';
import { createGatewaysService, type GatewaysParts } from './service.ts';

export { checkMove, moveSentence } from './check-move.ts';
export { checkBeforeMigration, checkOthers } from './check-others.ts';
export { createMembership, enterGateways, type Membership } from './membership.ts';
export { createRequestCounts } from './request-counts.ts';
export { forgetGateways, hasGateways, listGateways, lockGateways, noteAlive } from './store.ts';
export { findMove, findMoveIn, noteProgress, removeMove, writeMove } from './store-move.ts';
export { MOVES, type MoveRecord, type OwnGateway, WORKS_WITH } from './types.ts';

/** The room of the gateways on one database. */
export function createGateways(parts: GatewaysParts): Room {
  const service = createGatewaysService(parts);
  return defineRoom({
    name: 'gateways',
    served: gatewaysServedRoutes(service),
    warnings: () => service.warnings(),
  });
}
