import { csvLine } from '../../../platform/csv.ts';
import type { Caller } from '../../access/service.ts';
import { recordBulkChange } from '../changes.ts';
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
];
/** Spreadsheets take a file without it for one of another code page. */
const BYTE_ORDER_MARK = '\ufeff';

/** All contacts by name. Who took them is recorded. */
export async function exportContacts(parts: ContactsParts, caller: Caller): Promise<string> {
  const lines: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listContacts(parts.db.read, { scope: contactScope(caller), limit: PAGE, cursor });
    lines.push(...page.items.map(lineOf));
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  const details = { contacts: lines.length };
  await parts.db.transaction((tx) =>
    recordBulkChange(parts, tx, caller, { operation: 'contact.export', details }),
  );
  return `${BYTE_ORDER_MARK}${csvLine(HEAD)}${lines.join('')}`;
}

function lineOf({
  name,
  organization,
  fax_number,
  send_together_minutes,
  encoded_pages,
  blocked,
  note,
}: ContactRow): string {
  const choices = [send_together_minutes, blocked === 1 ? 'yes' : 'no'];
  return csvLine([name, organization, fax_number, ...choices, note, encoded_pages]);
}
