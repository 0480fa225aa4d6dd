import { epochOf } from '../../../platform/clock.ts';
import { type Locality, localDate } from '../../../platform/local-time.ts';
import { formatNumber } from '../../../platform/phone-number.ts';
import type { DocumentNames } from '../../access/port.ts';
import { listNamed, type NamedFax } from '../store/name-store.ts';

/** Names received faxes where roles are given on them. */
export function createDocumentNames(where: () => Locality): DocumentNames {
  return {
    async find(db, ids) {
      const place = where();
      const rows = await listNamed(db, ids);
      return new Map(rows.map((row) => [row.id, { name: nameOf(row, place), mailboxId: row.mailbox_id }]));
    },
  };
}

function nameOf(row: NamedFax, where: Locality): string {
  const from = row.from_number === null ? 'an unknown number' : formatNumber(row.from_number);
  return `Fax of ${localDate(epochOf(row.received_at), where)} from ${from}`;
}
