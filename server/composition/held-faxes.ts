import type { HeldFaxes } from '../features/holds/port.ts';
import type { InboundRoom } from '../features/inbound/room.ts';
import type { OutboundRoom } from '../features/outbound/room.ts';

/** Returns the sent and received faxes as the room of legal holds needs them. */
export function createHeldFaxes(
  outbound: Pick<OutboundRoom['service'], 'mayRead' | 'heldFaxes' | 'archiving'>,
  inbound: Pick<InboundRoom['service'], 'received' | 'heldFaxes' | 'archiving'>,
): HeldFaxes {
  return {
    async readableAmong(caller, ids) {
      const found = new Set((await inbound.received.readableAmong(caller, ids)).keys());
      for (const id of ids) if (!found.has(id) && (await outbound.mayRead(caller, id))) found.add(id);
      return found;
    },
    async existingAmong(db, ids) {
      return new Set([
        ...(await outbound.archiving.existingAmong(db, ids)),
        ...(await inbound.archiving.existingAmong(db, ids)),
      ]);
    },
    async figuresOf(hold, others) {
      const sent = await outbound.heldFaxes(hold, others);
      const received = await inbound.heldFaxes(hold, others);
      return {
        ...sent,
        ...received,
        documentsDue: sent.documentsDue + received.documentsDue,
        nextCleanupAt: sent.nextCleanupAt ?? received.nextCleanupAt,
      };
    },
  };
}
