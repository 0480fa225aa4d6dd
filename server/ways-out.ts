import type { Provider } from './adapters/providers/provider-port.ts';
import type { InternalDelivery } from './features/inbound/service.ts';
import type { CallLog, Transports } from './features/outbound/port.ts';
import type { OutboundRoomParts } from './features/outbound/room.ts';
import type { PlanWays } from './features/routing/port.ts';
import type { Routing } from './features/routing/service.ts';
import { callbackAddresses } from './providers.ts';
import { createTransports } from './transports.ts';

/** How faxes leave, and what is heard of them. `above`, of higher rooms, is asked when it is needed. */
export function waysOut(
  { providers }: { readonly providers: readonly Provider[] },
  routing: Routing,
  above: () => { readonly internal: InternalDelivery; readonly callLog: CallLog },
): Pick<OutboundRoomParts, 'transports' | 'callbacks' | 'calls'> {
  return {
    transports: createTransports(routing, () => above().internal),
    callbacks: callbackAddresses(providers),
    calls: { ended: (tx, call) => above().callLog.ended(tx, call) },
  };
}

/** What a fax that is thought of would go by, as the room of costs asks. */
export function quotedWays(transports: Transports): PlanWays {
  return (fax) => {
    const planned = transports.plan(fax);
    if ('refusal' in planned) return planned;
    return { ways: planned.steps.map(({ transport, reason }) => ({ ...transport, reason })) };
  };
}
