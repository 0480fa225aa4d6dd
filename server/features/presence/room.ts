import type { Announcements } from '../../platform/announcements.ts';
import type { Clock } from '../../platform/clock.ts';
import { createEventBus } from '../../platform/events.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Caller } from '../access/service.ts';
import { type InboundService, mayReadFax } from '../inbound/service.ts';
import { type Change, defineRoom, type Room } from '../room.ts';
import { presenceServedRoutes } from './routes.ts';
import { createPresenceService } from './service.ts';
import type { OpenFax } from './types.ts';

interface PresenceRoomParts {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly inbound: Pick<InboundService, 'readable'>;
  /** To and from other gateways, whose people look at the same faxes. */
  readonly announcements: Announcements;
}

const TICK_MS = 5_000;

/** Creates the room of presence: who has which received fax open. */
export function createPresence({ clock, logger: all, inbound, announcements }: PresenceRoomParts): Room {
  const logger = all.room('presence');
  const events = createEventBus<{ changed: OpenFax }>((error) =>
    logger.error({ error }, 'a listener of presence failed'),
  );
  const service = createPresenceService({
    clock,
    inbound,
    announcements,
    onChange: (fax) => events.publish('changed', fax),
  });
  let version = 0;
  let timer: NodeJS.Timeout | undefined;
  return defineRoom({
    name: 'presence',
    served: presenceServedRoutes(service),
    events: [
      {
        kind: 'presence.changed',
        listen: (listener) =>
          events.on('changed', (fax) => {
            version += 1;
            listener(changeOf(fax, version));
          }),
      },
    ],
    async start() {
      timer = setInterval(() => service.expire(), TICK_MS);
      timer.unref();
    },
    stop: async () => clearInterval(timer),
    catchUp: async () => service.expire(),
  });
}

function changeOf(fax: OpenFax, version: number): Change {
  const mayReceive = (caller: Caller) => caller.principal.kind === 'user' && mayReadFax(caller, fax);
  return {
    id: fax.id,
    version,
    event: { kind: 'presence.changed', data: { id: fax.id, version }, mayReceive },
  };
}
