import { setImmediate } from 'node:timers/promises';
import type { z } from 'zod';
import type { ContactImport } from '../../../../shared/api/contacts-import.ts';
import { LIMITS } from '../../../../shared/limits.ts';
import type { WriteTx } from '../../../db/database.ts';
import { isoTime } from '../../../platform/clock.ts';
import { newId } from '../../../platform/ids.ts';
import type { Caller } from '../../access/service.ts';
import { notifyOfKey, recordBulkChange } from '../changes.ts';
import { changedNames, fieldsOf, NEW_CONTACT, numbersOf, rowOf } from '../contact-row.ts';
import type { ContactsParts } from '../parts.ts';
import { NO_KEY } from '../shared-key.ts';
import { contactIdsOf, contactsOf, insertContacts, updateContact } from '../store/contact-store.ts';
import type { ContactFields, ContactRow } from '../types.ts';
import { maySee } from '../visibility.ts';
import { combineWithContact } from './combine.ts';
import { type Line, mergeDuplicates } from './duplicates.ts';
import { entryContext } from './names.ts';
import { type EntryContext, readEntry } from './read-entry.ts';
import { readFile } from './read-file.ts';

export type ImportResult = z.infer<typeof ContactImport>;

export interface ImportOrder {
  readonly bytes: Uint8Array;
  /** True to update a contact that has a number from the file; else it stays and the entry is reported. */
  readonly updates: boolean;
  readonly checkOnly: boolean;
}

type Result = {
  -readonly [N in keyof ImportResult]: ImportResult[N] extends readonly (infer T)[] ? T[] : ImportResult[N];
};

/** Entries of one transaction: others write between them. */
const BATCH_SIZE = 200;
/** Numbers of one query: stores limit its values. */
const LOOKUP_SIZE = 1_000;

/**
 * Imports the entries of an address book, a few hundred in one transaction. Safe to repeat after an interruption: a number
 * has one contact. Throws a 400 refusal for a file that is no address book.
 */
export async function importContacts(
  parts: ContactsParts,
  caller: Caller,
  order: ImportOrder,
): Promise<ImportResult> {
  const result = emptyResult(order.checkOnly);
  const context = await entryContext(parts, caller);
  const lines = await mergedLines(parts, await readLines(order.bytes, context, result), result);
  for (let at = 0; at < lines.length; at += BATCH_SIZE) {
    const some = lines.slice(at, at + BATCH_SIZE);
    const request = { updates: order.updates, caller };
    const found = order.checkOnly
      ? sortLines(some, await contactsOf(parts.db.read, numbersIn(some)), request).result
      : await importLines(parts, some, request);
    addResult(result, found);
  }
  for (const list of [result.problems, result.remarks, result.changes]) list.sort((a, b) => a.line - b.line);
  if (!order.checkOnly) await settle(parts, caller, result);
  return result;
}

function emptyResult(checkOnly: boolean): Result {
  const lists = { problems: [], remarks: [], changes: [] };
  return { added: 0, changed: 0, unchanged: 0, merged: 0, left_out: 0, checked_only: checkOnly, ...lists };
}

function addResult(sum: Result, some: Result): void {
  for (const name of ['added', 'changed', 'unchanged', 'merged', 'left_out'] as const)
    sum[name] += some[name];
  sum.problems.push(...some.problems);
  sum.remarks.push(...some.remarks);
  const room = (kind: 'new' | 'changed') =>
    LIMITS.contactChangesShown - sum.changes.filter((one) => one.kind === kind).length;
  for (const kind of ['new', 'changed'] as const)
    sum.changes.push(...some.changes.filter((one) => one.kind === kind).slice(0, room(kind)));
}

/** Lists the valid entries, and reports the others. Others are served meanwhile. */
export async function readLines(
  bytes: Uint8Array,
  context: EntryContext,
  result: Pick<Result, 'left_out' | 'problems' | 'remarks'>,
): Promise<Line[]> {
  const entries = await readFile(bytes);
  const lines: Line[] = [];
  for (const [at, entry] of entries.entries()) {
    if (at % BATCH_SIZE === 0) await setImmediate();
    const { line } = entry;
    const reading = 'problem' in entry ? entry : readEntry(entry.texts, context);
    if ('problem' in reading) leaveOut(result, line, reading.problem);
    else {
      lines.push({ line, fields: reading.fields });
      result.remarks.push(...reading.remarks.map((sentence) => ({ line, sentence })));
    }
  }
  return lines;
}

async function mergedLines(parts: ContactsParts, lines: readonly Line[], result: Result): Promise<Line[]> {
  return mergeDuplicates(lines, await contactIds(parts, numbersIn(lines)), {
    leaveOut: (line, sentence) => leaveOut(result, line, sentence),
    merge: (line, into, number) => {
      result.merged += 1;
      result.remarks.push({ line, sentence: `It was merged into line ${into}: both are about ${number}.` });
    },
  });
}

async function contactIds({ db }: ContactsParts, numbers: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (let at = 0; at < numbers.length; at += LOOKUP_SIZE)
    for (const { number, contact_id } of await contactIdsOf(db.read, numbers.slice(at, at + LOOKUP_SIZE)))
      found.set(number, contact_id);
  return found;
}

function leaveOut(result: Pick<Result, 'left_out' | 'problems'>, line: number, sentence: string): void {
  result.left_out += 1;
  result.problems.push({ line, sentence });
}

interface SortOrder {
  readonly updates: boolean;
  readonly caller: Caller;
}

interface Sorted {
  readonly added: Line[];
  readonly changed: {
    readonly row: ContactRow;
    readonly fields: ContactFields;
    readonly since: string | null;
  }[];
  readonly result: Result;
}

/**
 * Sorts the entries into additions and changes, by the stored contacts of their numbers. A contact that the caller does
 * not see stays as it is.
 */
function sortLines(lines: readonly Line[], known: readonly ContactRow[], order: SortOrder): Sorted {
  const rows = new Map(known.flatMap((row) => numbersOf(row).map((number) => [number, row] as const)));
  const found: Sorted = { added: [], changed: [], result: emptyResult(false) };
  const taken = new Set<string>();
  for (const one of lines) {
    const stored = new Set(one.fields.numbers.flatMap((number) => rows.get(number) ?? []));
    const [row] = stored;
    const problem = problemOf(one, stored, taken, order);
    if (row) taken.add(row.id);
    if (problem !== null) leaveOut(found.result, one.line, problem);
    else if (row) sortChange(found, one, row, order);
    else addNew(found, one);
  }
  return found;
}

/** Returns why an entry changes no contact; null when it may. */
function problemOf(
  { fields }: Line,
  stored: ReadonlySet<ContactRow>,
  taken: ReadonlySet<string>,
  { caller }: SortOrder,
): string | null {
  const rows = [...stored];
  const [row] = rows;
  if (!row) return null;
  const hidden = rows.find((one) => !maySee(caller, one));
  if (hidden) return keptSentence(numbersOf(hidden).find((one) => fields.numbers.includes(one)) ?? '');
  if (rows.length > 1)
    return `Its numbers belong to several contacts: ${rows.map(({ name }) => name).join(', ')}. Merge them first.`;
  return taken.has(row.id) ? keptSentence(row.fax_number) : null;
}

const keptSentence = (number: string) =>
  `${number} is already in the contacts. That contact was not changed.`;

function sortChange(found: Sorted, { line, fields: given }: Line, row: ContactRow, order: SortOrder): void {
  const before = fieldsOf(row);
  const fields = combineWithContact(before, given);
  if ('problem' in fields) return leaveOut(found.result, line, fields.problem);
  const names = changedNames(before, fields);
  if (names.length === 0) {
    found.result.unchanged += 1;
    return undefined;
  }
  const { name, fax_number } = fields;
  if (!order.updates) return leaveOut(found.result, line, keptSentence(fax_number));
  found.result.changed += 1;
  found.result.changes.push({ line, kind: 'changed', name, fax_number, fields: names });
  found.changed.push({ row, fields, since: given.opted_out_at ?? null });
}

function addNew(found: Sorted, one: Line): void {
  const { name, numbers } = one.fields;
  found.result.added += 1;
  found.result.changes.push({ line: one.line, kind: 'new', name, fax_number: numbers[0] ?? '', fields: [] });
  found.added.push(one);
}

const numbersIn = (lines: readonly Line[]) => lines.flatMap(({ fields }) => fields.numbers);

async function importLines(parts: ContactsParts, lines: readonly Line[], order: SortOrder): Promise<Result> {
  // A group of transactions may be repeated, and then counts once.
  return parts.db.transaction(async (tx) => {
    const sorted = sortLines(lines, await contactsOf(tx, numbersIn(lines)), order);
    await write(parts, tx, sorted);
    return sorted.result;
  });
}

async function write(parts: ContactsParts, tx: WriteTx, { added, changed }: Sorted): Promise<void> {
  const at = isoTime(parts.clock.now());
  const stamps = { version: 1, created_at: at, updated_at: at };
  await insertContacts(
    tx,
    added.map(({ fields: { numbers, opted_out_at = null, ...fields } }) => {
      const [fax_number = '', ...other_fax_numbers] = numbers;
      const whole = { ...NEW_CONTACT, ...fields, fax_number, other_fax_numbers };
      return { id: newId(), ...rowOf(whole, at, opted_out_at), ...NO_KEY, ...stamps };
    }),
  );
  for (const { row, fields, since } of changed) {
    const change = { ...rowOf(fields, at, row.opted_out_at ?? since), updated_at: at };
    await updateContact(tx, row, change);
    const hasMoreNumbers = row.other_fax_numbers !== change.other_fax_numbers;
    if (row.shared_key !== null && hasMoreNumbers) await notifyOfKey(parts, tx, { ...row, ...change });
  }
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
