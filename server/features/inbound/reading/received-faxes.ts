import type { ReceivedFaxes } from '../../outbound/port.ts';
import type { InboundParts } from '../parts.ts';
import { findFax } from '../store/fax-store.ts';
import { findFaxes } from '../store/list-store.ts';
import { assertMay, mayReadFax } from '../visibility.ts';
import { lastAbout } from './about.ts';

/** Received faxes as the room of sent faxes needs them: its answers name them. */
export function createReceivedFaxes(parts: Pick<InboundParts, 'db'>): ReceivedFaxes {
  const { db } = parts;
  return {
    lastAbout: (caller, number) => lastAbout(parts, caller, number),
    async assertReadable(caller, id) {
      assertMay(caller, 'inbound:read', await findFax(db.read, id));
    },
    async readableAmong(caller, ids) {
      const rows = await findFaxes(db.read, ids);
      const readable = [...rows.values()].filter((row) => mayReadFax(caller, row));
      return new Map(
        readable.map(({ id, from_number: from, received_at: receivedAt }) => [id, { id, from, receivedAt }]),
      );
    },
  };
}
