import { csvLine } from '../../../platform/csv.ts';
import type { Caller } from '../../access/service.ts';
import { recordBulkChange } from '../changes.ts';
import { listsOf } from '../contact-row.ts';
import { formatHours } from '../import/hours.ts';
import { type ExportedNames, exportedNames } from '../import/names.ts';
import { joinList } from '../import/texts.ts';
import type { ContactsParts } from '../parts.ts';
import { listContacts } from '../store/list-store.ts';
import type { ContactRow } from '../types.ts';
import { contactScope } from '../visibility.ts';

const PAGE = 500;
/** Column names as `columns.ts` reads them back. */
const HEAD = [
  'Name',
  'Organization',
  'Fax number',
  'Send together (minutes)',
  'Blocked',
  'Note',
  'Encoded pages',
  'Other fax numbers',
  'Phone',
  'Address',
  'Tags',
  'Mailbox',
  'Opted out',
  'Consent',
  'Time zone',
  'Allowed hours',
  'Cover page',
  'Accepts references',
  'Preferred route',
];
/** Spreadsheets take a file without it for one of another code page. */
const BYTE_ORDER_MARK = '\ufeff';

/** Exports the contacts that the caller sees, by name. Who took them is recorded. */
export async function exportContacts(parts: ContactsParts, caller: Caller): Promise<string> {
  const lines: string[] = [];
  const named = await exportedNames(parts);
  let cursor: string | undefined;
  do {
    const page = await listContacts(parts.db.read, { scope: contactScope(caller), limit: PAGE, cursor });
    lines.push(...page.items.map((row) => lineOf(row, named)));
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  const details = { contacts: lines.length };
  await parts.db.transaction((tx) =>
    recordBulkChange(parts, tx, caller, { operation: 'contact.export', details }),
  );
  return `${BYTE_ORDER_MARK}${csvLine(HEAD)}${lines.join('')}`;
}

function lineOf(row: ContactRow, named: ExportedNames): string {
  const { other_fax_numbers, tags, allowed_hours } = listsOf(row);
  return csvLine([
    row.name,
    row.organization,
    row.fax_number,
    row.send_together_minutes,
    row.blocked === 1 ? 'yes' : 'no',
    row.note,
    row.encoded_pages,
    joinList(other_fax_numbers),
    row.voice_number,
    row.address,
    joinList(tags),
    named.mailboxOf(row),
    row.opted_out_at ?? 'no',
    row.consent_note,
    row.time_zone,
    allowed_hours && formatHours(allowed_hours),
    row.cover_id,
    row.accepts_references === 1 ? 'yes' : 'no',
    named.routeOf(row),
  ]);
}
