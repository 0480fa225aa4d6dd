import { formatHours } from '../../../../shared/allowed-hours.ts';
import type { ContactFormat } from '../../../../shared/api/contacts-import.ts';
import { csvLine } from '../../../platform/csv.ts';
import type { Caller } from '../../access/service.ts';
import { recordBulkChange } from '../changes.ts';
import { listsOf } from '../contact-row.ts';
import { type ExportedNames, exportedNames } from '../import/names.ts';
import { joinList } from '../import/texts.ts';
import type { ContactsParts } from '../parts.ts';
import { listContacts } from '../store/list-store.ts';
import type { ContactRow } from '../types.ts';
import { writeCard } from '../vcard/write-card.ts';
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
export async function exportContacts(
  parts: ContactsParts,
  caller: Caller,
  format: ContactFormat,
): Promise<string> {
  const pieces: string[] = [];
  const named = await exportedNames(parts);
  const write = (row: ContactRow) =>
    format === 'csv' ? lineOf(row, named) : writeCard(row, format === 'vcard3' ? 3 : 4, named);
  let cursor: string | undefined;
  do {
    const page = await listContacts(parts.db.read, { scope: contactScope(caller), limit: PAGE, cursor });
    pieces.push(...page.items.map(write));
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  const details = { contacts: pieces.length };
  await parts.db.transaction((tx) =>
    recordBulkChange(parts, tx, caller, { operation: 'contact.export', details }),
  );
  return format === 'csv' ? `${BYTE_ORDER_MARK}${csvLine(HEAD)}${pieces.join('')}` : pieces.join('');
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
