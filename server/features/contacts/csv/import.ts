import { setImmediate } from 'node:timers/promises';
import type { z } from 'zod';
import type { ContactImport } from '../../../../shared/api/contacts.ts';
import type { WriteTx } from '../../../db/database.ts';
import { isoTime } from '../../../platform/clock.ts';
import { newId } from '../../../platform/ids.ts';
import type { Caller } from '../../access/service.ts';
import { recordBulkChange } from '../changes.ts';
import { changedNames, fieldsOf, NEW_CONTACT, numbersOf, rowOf } from '../contact-row.ts';
import { fileRefused } from '../errors.ts';
import type { ContactsParts } from '../parts.ts';
import { NO_KEY } from '../shared-key.ts';
import { contactsOf, insertContacts, updateContact } from '../store/contact-store.ts';
import type { ContactRow } from '../types.ts';
import { maySee } from '../visibility.ts';
import { readerOf } from './columns.ts';
import { type LineReading, readLine } from './import-line.ts';
import { decodeCsv, readCsv } from './read-csv.ts';

export type ImportResult = z.infer<typeof ContactImport>;

export interface ImportOrder {
  readonly bytes: Uint8Array;
  /** True to update a contact that has the number from the file; else it stays and the line is reported. */
  readonly updates: boolean;
  readonly checkOnly: boolean;
}

type Fields = Extract<LineReading, { fields: unknown }>['fields'];
interface Line {
  readonly line: number;
  readonly fields: Fields;
}
type Result = { -readonly [N in keyof ImportResult]: ImportResult[N] };

const MAX_PROBLEMS = 500;
/** Lines of one transaction: others write between them. */
const BATCH_SIZE = 200;

/**
 * Imports the lines of a CSV file, a few hundred in one transaction. Safe to repeat after an interruption: a number has
 * one contact. Throws a 400 refusal for a file with unknown columns.
 */
export async function importContacts(
  parts: ContactsParts,
  caller: Caller,
  order: ImportOrder,
): Promise<ImportResult> {
  const result: Result = {
    added: 0,
    changed: 0,
    unchanged: 0,
    problems: [],
    left_out: 0,
    checked_only: order.checkOnly,
  };
  const lines = await linesOf(parts, order.bytes, result);
  for (let at = 0; at < lines.length; at += BATCH_SIZE) {
    const some = lines.slice(at, at + BATCH_SIZE);
    const { updates } = order;
    if (order.checkOnly) await checkLines(parts, some, { updates, caller }, result);
    else await importLines(parts, some, { updates, caller }, result);
  }
  result.problems.sort((a, b) => a.line - b.line);
  result.problems.splice(MAX_PROBLEMS);
  if (!order.checkOnly) await settle(parts, caller, result);
  return result;
}

/** The lines that can be taken; of several with one number the first. Others are served meanwhile. */
async function linesOf(parts: ContactsParts, bytes: Uint8Array, result: Result): Promise<Line[]> {
  const [head, ...rest] = await readCsv(decodeCsv(bytes));
  if (!head) throw fileRefused('The file is empty.');
  const given = readerOf(head);
  const firstOf = new Map<string, number>();
  const lines: Line[] = [];
  for (const [at, csv] of rest.entries()) {
    if (at % BATCH_SIZE === 0) await setImmediate();
    const { line } = csv;
    const reading = readLine(given(csv), parts.country());
    const known = 'fields' in reading ? firstOf.get(reading.fields.fax_number) : undefined;
    if ('problem' in reading) leaveOut(result, line, reading.problem);
    else if (known !== undefined)
      leaveOut(
        result,
        line,
        `${reading.fields.fax_number} is already in line ${known}. Only that line is used.`,
      );
    else {
      firstOf.set(reading.fields.fax_number, line);
      lines.push({ line, fields: reading.fields });
    }
  }
  return lines;
}

function leaveOut(result: Result, line: number, sentence: string): void {
  result.left_out += 1;
  result.problems.push({ line, sentence });
}

type SortOrder = Pick<ImportOrder, 'updates'> & { readonly caller: Caller };

interface Sorted {
  readonly added: Fields[];
  readonly changed: { readonly row: ContactRow; readonly fields: Fields }[];
}

/**
 * Sorts the lines into additions and changes, by the stored contacts of their numbers. A contact that the caller does not
 * see stays as it is.
 */
function sortLines(
  lines: readonly Line[],
  known: readonly ContactRow[],
  { updates, caller }: SortOrder,
  result: Result,
): Sorted {
  const rows = new Map(known.flatMap((row) => numbersOf(row).map((number) => [number, row] as const)));
  const found: Sorted = { added: [], changed: [] };
  for (const { line, fields: given } of lines) {
    const row = rows.get(given.fax_number);
    // A line may name a further number of a contact; its numbers stay.
    const fields = row ? { ...given, fax_number: row.fax_number } : given;
    const isSeen = row !== undefined && maySee(caller, row);
    if (!row) found.added.push(fields);
    else if (isSeen && changedNames(fieldsOf(row), { ...fieldsOf(row), ...fields }).length === 0)
      result.unchanged += 1;
    else if (isSeen && updates) found.changed.push({ row, fields });
    else
      leaveOut(
        result,
        line,
        `${fields.fax_number} is already in the contacts. That contact was not changed.`,
      );
  }
  result.added += found.added.length;
  result.changed += found.changed.length;
  return found;
}

const numbersIn = (lines: readonly Line[]) => lines.map(({ fields }) => fields.fax_number);

async function checkLines(
  { db }: ContactsParts,
  lines: readonly Line[],
  order: SortOrder,
  result: Result,
): Promise<void> {
  sortLines(lines, await contactsOf(db.read, numbersIn(lines)), order, result);
}

async function importLines(
  parts: ContactsParts,
  lines: readonly Line[],
  order: SortOrder,
  result: Result,
): Promise<void> {
  // A group of transactions may be repeated, and then counts once.
  const counted = await parts.db.transaction(async (tx) => {
    const some: Result = { ...result, problems: [...result.problems] };
    const { added, changed } = sortLines(lines, await contactsOf(tx, numbersIn(lines)), order, some);
    await write(parts, tx, added, changed);
    return some;
  });
  Object.assign(result, counted);
}

async function write(
  { clock }: ContactsParts,
  tx: WriteTx,
  added: Sorted['added'],
  changed: Sorted['changed'],
): Promise<void> {
  const at = isoTime(clock.now());
  const stamps = { version: 1, created_at: at, updated_at: at };
  await insertContacts(
    tx,
    added.map((fields) => ({
      id: newId(),
      ...rowOf({ ...NEW_CONTACT, ...fields }, at, null),
      ...NO_KEY,
      ...stamps,
    })),
  );
  for (const { row, fields } of changed)
    await updateContact(tx, row, {
      ...rowOf({ ...fieldsOf(row), ...fields }, at, row.opted_out_at),
      updated_at: at,
    });
}

async function settle(parts: ContactsParts, caller: Caller, result: Result): Promise<void> {
  const { added, changed, left_out } = result;
  await parts.db.transaction(async (tx) => {
    await recordBulkChange(parts, tx, caller, {
      operation: 'contact.import',
      details: { added, changed, left_out },
    });
    if (added + changed > 0)
      parts.db.onCommit(tx, () =>
        parts.events.publish('contact.changed', { id: null, version: 1, owners: [null] }),
      );
  });
}
