import { setImmediate } from 'node:timers/promises';
import type { z } from 'zod';
import type { optOutRoutes } from '../../../shared/api/contacts-opt-outs.ts';
import { LIMITS } from '../../../shared/limits.ts';
import type { WriteTx } from '../../db/database.ts';
import { isoTime } from '../../platform/clock.ts';
import { requestedNumber } from '../../platform/phone-number.ts';
import { readNumberList } from '../../platform/read-number-list.ts';
import { actorOf, type Caller } from '../access/service.ts';
import { recordedActor } from '../audit/service.ts';
import { numbersOf } from './contact-row.ts';
import { badNumber, fileRefused } from './errors.ts';
import type { ContactsParts } from './parts.ts';
import { namesOf } from './store/contact-store.ts';
import {
  deleteOptOut,
  findOptOut,
  insertOptOuts,
  listOptOuts,
  type OptOutRow,
  optedOutAmong,
} from './store/opt-out-store.ts';
import type { ContactRow } from './types.ts';
import { contactScope } from './visibility.ts';

type Routes = typeof optOutRoutes;
export type OptOutAnswer = z.infer<Routes['addOptOut']['answer']['schema']>;
export type OptOutPage = z.infer<Routes['listOptOuts']['answer']['schema']>;
export type OptOutQuery = z.infer<Routes['listOptOuts']['query']>;
export type OptOutImportResult = z.infer<Routes['importOptOuts']['answer']['schema']>;

/** Numbers of one transaction: others write between them. */
const BATCH_SIZE = 500;

/** Lists the numbers that want no faxes: those of the list, and those of contacts that the caller may see. */
export async function searchOptOuts(
  parts: Pick<ContactsParts, 'db'>,
  caller: Caller,
  { q, limit, cursor }: OptOutQuery,
): Promise<OptOutPage> {
  const digits = q?.replaceAll(/\D/gu, '').replace(/^0+/u, '') || null;
  const page = await listOptOuts(parts.db.read, { digits, scope: contactScope(caller), limit, cursor });
  const own = page.items.flatMap(({ of }) => ('listed' in of ? [of.listed] : []));
  const listed = await presentListed(parts, caller, own);
  const items = page.items.map(({ number, of }): OptOutAnswer => {
    if ('listed' in of) return listed.shift() as OptOutAnswer;
    const { id, name, consent_note: note, opted_out_at: since } = of.contact;
    const contact = { id, name };
    return { fax_number: number, source: 'contact', contact, note, added_at: since ?? '', added_by: null };
  });
  return { items, next_cursor: page.next_cursor };
}

async function presentListed(
  { db }: Pick<ContactsParts, 'db'>,
  caller: Caller,
  rows: readonly OptOutRow[],
): Promise<OptOutAnswer[]> {
  const numbers = rows.map(({ number }) => number);
  const names = await namesOf(db.read, numbers, contactScope(caller));
  const byNumber = new Map(names.map(({ number, id, name }) => [number, { id, name }]));
  return rows.map(({ number, note, added_at, added_by }) => ({
    fax_number: number,
    source: 'list',
    contact: byNumber.get(number) ?? null,
    note,
    added_at,
    added_by,
  }));
}

/** Adds a number as it was typed. One that is on the list stays as it is. Throws a 400 refusal. */
export async function addOptOut(
  parts: ContactsParts,
  caller: Caller,
  { fax_number, note }: { readonly fax_number: string; readonly note?: string | null | undefined },
): Promise<OptOutAnswer> {
  const row = entryOf(parts, caller, typedNumber(parts, fax_number), note || null);
  await parts.db.transaction(async (tx) => {
    if ((await insertOptOuts(tx, [row])) === 0) return;
    await settle(parts, tx, caller, { operation: 'opt_out.add', number: row.number });
  });
  const kept = (await findOptOut(parts.db.read, row.number)) ?? row;
  const [answer] = await presentListed(parts, caller, [kept]);
  if (!answer) throw new Error('an entry can be shown');
  return answer;
}

/** Takes a number off the list. Throws a 400 refusal. */
export async function removeOptOut(
  parts: ContactsParts,
  caller: Caller,
  typed: string,
): Promise<{ fax_number: string; was_listed: boolean }> {
  const number = typedNumber(parts, typed);
  const wasListed = await parts.db.transaction(async (tx) => {
    if (!(await deleteOptOut(tx, number))) return false;
    await settle(parts, tx, caller, { operation: 'opt_out.remove', number });
    return true;
  });
  return { fax_number: number, was_listed: wasListed };
}

/** Adds the numbers of a file. Safe to repeat. Throws a 400 refusal for a file that is no list. */
export async function importOptOuts(
  parts: ContactsParts,
  caller: Caller,
  { bytes, note, checkOnly }: { bytes: Uint8Array; note: string | null; checkOnly: boolean },
): Promise<OptOutImportResult> {
  const lines = await readNumberList(bytes, { refuse: fileRefused, maxLines: LIMITS.optOutLines });
  const problems: OptOutImportResult['problems'] = [];
  const numbers = new Set<string>();
  let valid = 0;
  for (const [at, { line, text }] of lines.entries()) {
    if (at % BATCH_SIZE === 0) await setImmediate();
    const number = requestedNumber(text, parts.country());
    if (number === null) problems.push({ line, sentence: text === '' ? NO_NUMBER : badLine(text) });
    else {
      valid += 1;
      numbers.add(number);
    }
  }
  const added = await addAll(parts, caller, [...numbers], { note, checkOnly });
  const left = { added, unchanged: valid - added, left_out: problems.length, problems };
  if (added > 0 && !checkOnly)
    await parts.db.transaction((tx) =>
      settle(parts, tx, caller, { operation: 'opt_out.import', details: { added } }),
    );
  return { ...left, checked_only: checkOnly };
}

async function addAll(
  parts: ContactsParts,
  caller: Caller,
  numbers: readonly string[],
  { note, checkOnly }: { note: string | null; checkOnly: boolean },
): Promise<number> {
  let added = 0;
  for (let at = 0; at < numbers.length; at += BATCH_SIZE) {
    const some = numbers.slice(at, at + BATCH_SIZE);
    if (checkOnly) {
      added += some.length - (await optedOutAmong(parts.db.read, some)).size;
      continue;
    }
    const rows = some.map((number) => entryOf(parts, caller, number, note));
    added += await parts.db.transaction((tx) => insertOptOuts(tx, rows));
  }
  return added;
}

const NO_NUMBER = 'This line has no fax number.';
const badLine = (text: string) => `“${text}” is no complete fax number.`;

/** Keeps the numbers of a removed contact that opted out on the list: nobody faxes them because it is gone. */
export async function keepOptOut(
  parts: Pick<ContactsParts, 'clock'>,
  tx: WriteTx,
  caller: Caller,
  contact: ContactRow,
): Promise<void> {
  const { opted_out_at } = contact;
  if (opted_out_at === null) return;
  const rows = numbersOf(contact).map((number) => ({
    ...entryOf(parts, caller, number, null),
    added_at: opted_out_at,
  }));
  await insertOptOuts(tx, rows);
}

function entryOf(
  { clock }: Pick<ContactsParts, 'clock'>,
  caller: Caller,
  number: string,
  note: string | null,
): OptOutRow {
  const { id, name } = actorOf(caller);
  return { number, note, added_at: isoTime(clock.now()), added_by_id: id, added_by: name };
}

function typedNumber({ country }: ContactsParts, typed: string): string {
  const number = requestedNumber(typed, country());
  if (number === null) throw badNumber();
  return number;
}

/** Records the change, and notifies consoles once it is committed. */
async function settle(
  { audit, events, db }: ContactsParts,
  tx: WriteTx,
  caller: Caller,
  {
    operation,
    number = null,
    details = {},
  }: {
    operation: 'opt_out.add' | 'opt_out.import' | 'opt_out.remove';
    number?: string | null;
    details?: object;
  },
): Promise<void> {
  await audit.record(tx, {
    ...recordedActor(actorOf(caller)),
    operation,
    target: { kind: 'opt_out', id: number },
    outcome: 'done',
    details: { ...(number !== null && { number }), ...details },
  });
  db.onCommit(tx, () => events.publish('contact.changed', { id: null, version: 1, owners: [null] }));
}
