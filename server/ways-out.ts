import type { Provider } from './adapters/providers/provider-port.ts';
import type { KnownNumbers } from './features/contacts/service.ts';
import type { InternalDelivery } from './features/inbound/service.ts';
import type { CallLog, Transports } from './features/outbound/port.ts';
import type { OutboundRoomParts } from './features/outbound/room.ts';
import type { PlanWays } from './features/routing/port.ts';
import type { RouteChoice, Routing } from './features/routing/service.ts';
import { callbackAddresses } from './providers.ts';
import { createTransports } from './transports.ts';

/**
 * Returns the transports, callback addresses and call log for the room of outgoing faxes. `above`, of higher rooms, is
 * called when needed.
 */
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

/** Plans a fax for a quote, as the room of costs requests it. */
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
