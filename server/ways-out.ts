import type { Provider } from './adapters/providers/provider-port.ts';
import type { KnownNumbers } from './features/contacts/service.ts';
import type { InternalDelivery } from './features/inbound/service.ts';
import type { CallLog, Transports } from './features/outbound/port.ts';
import type { OutboundRoomParts } from './features/outbound/room.ts';
import type { PlanWays } from './features/routing/port.ts';
import type { RouteChoice, Routing } from './features/routing/service.ts';
import { callbackAddresses } from './providers.ts';
import { createTransports } from './transports.ts';

/** How faxes leave, and what is heard of them. `above`, of higher rooms, is asked when it is needed. */
export function waysOut(
  { providers }: { readonly providers: readonly Provider[] },
  routing: { readonly service: Routing; readonly choice: RouteChoice },
  above: () => { readonly internal: InternalDelivery; readonly callLog: CallLog },
): Pick<OutboundRoomParts, 'transports' | 'callbacks' | 'calls'> {
  return {
    transports: createTransports({ ...routing, routing: routing.service }, () => above().internal),
    callbacks: callbackAddresses(providers),
    calls: { ended: (tx, call) => above().callLog.ended(tx, call) },
  };
}

/** What a fax that is thought of would go by, as the room of costs asks. */
export function quotedWays(transports: Transports, contacts: Pick<KnownNumbers, 'wishesFor'>): PlanWays {
  return async (fax) => {
    const { preferredRoute } = await contacts.wishesFor(fax.to);
    const planned = await transports.plan({ ...fax, preferredRoute });
    if ('refusal' in planned) return planned;
    return {
      ways: planned.steps.map(({ transport, route, reason }) => ({
        ...transport,
        backend: transport.kind === 'own_number' ? planned.backend : transport.backend,
        route: route && { id: route.id, name: route.name },
        reason,
      })),
    };
  };
}
