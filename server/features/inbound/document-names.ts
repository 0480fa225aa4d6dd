import { epochOf } from '../../platform/clock.ts';
import { formatNumber } from '../../platform/phone-number.ts';
import type { DocumentNames } from '../access/port.ts';
import { listNamed, type NamedFax } from './store/name-store.ts';

/** How received faxes are called where roles are given on them. */
export function createDocumentNames(timeZone: () => string | null): DocumentNames {
  return {
    async find(db, ids) {
      const format = { dateStyle: 'medium', timeZone: timeZone() ?? 'UTC' } as const;
      const day = new Intl.DateTimeFormat('en-GB', format);
      const rows = await listNamed(db, ids);
      return new Map(rows.map((row) => [row.id, { name: nameOf(row, day), mailboxId: row.mailbox_id }]));
    },
  };
}

function nameOf(row: NamedFax, day: Intl.DateTimeFormat): string {
  const from = row.from_number === null ? 'an unknown number' : formatNumber(row.from_number);
  return `Fax of ${day.format(epochOf(row.received_at))} from ${from}`;
}
