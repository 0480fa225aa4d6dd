import type { z } from 'zod';
import type { ContactSuggestion } from '../../../shared/api/contacts-shapes.ts';
import { foldName } from '../../platform/search-text.ts';
import type { Caller } from '../access/service.ts';
import { listsOf, numbersOf } from './contact-row.ts';
import { wordsOf } from './listing.ts';
import type { ContactsParts } from './parts.ts';
import { completions, contactsAmong } from './store/list-store.ts';
import { optedOutAmong } from './store/opt-out-store.ts';
import type { ContactRow } from './types.ts';
import { contactScope } from './visibility.ts';

/** Numbers that count as recently used. */
const RECENT_NUMBERS = 200;

/**
 * Lists the contacts that a typed text may mean: the recently used ones by their last use, then those whose name begins
 * with the text, then the others by name.
 */
export async function completeContacts(
  { db, memory }: Pick<ContactsParts, 'db' | 'memory'>,
  caller: Caller,
  { q, limit }: { readonly q: string; readonly limit: number },
): Promise<z.infer<typeof ContactSuggestion>[]> {
  const words = wordsOf(q);
  const scope = contactScope(caller);
  const recent = await memory().recentNumbers(caller, RECENT_NUMBERS);
  const usedAt = new Map(recent.map(({ number, usedAt: at }) => [number, at]));
  const used = await contactsAmong(db.read, { scope, words, numbers: [...usedAt.keys()] });
  const lastUse = (row: ContactRow) =>
    numbersOf(row).reduce((last, number) => {
      const at = usedAt.get(number) ?? '';
      return at > last ? at : last;
    }, '');
  const rows = used.toSorted((a, b) => compare(lastUse(b), lastUse(a))).slice(0, limit);
  if (rows.length < limit && words.length > 0) {
    const known = new Set(rows.map(({ id }) => id));
    const beginning = foldName(q.trim());
    const found = await completions(db.read, { scope, words, beginning, limit: limit + rows.length });
    rows.push(...found.filter(({ id }) => !known.has(id)).slice(0, limit - rows.length));
  }
  const shown = rows.map((row) => ({ row, number: numberFor(row, words, usedAt) }));
  const facts = await memory().factsOf(
    caller,
    shown.map(({ number }) => number),
  );
  const listed = await optedOutAmong(
    db.read,
    shown.map(({ number }) => number),
  );
  return shown.map(({ row, number }) => ({
    id: row.id,
    name: row.name,
    organization: row.organization,
    fax_number: number,
    tags: listsOf(row).tags,
    blocked: row.blocked === 1,
    opted_out: row.opted_out_at !== null || listed.has(number),
    last_used_at: usedAt.get(number) ?? null,
    last_success_at: facts.get(number)?.last_success_at ?? null,
    recent_failures: facts.get(number)?.recent_failures ?? 0,
  }));
}

/** Returns the number of which a part was typed; else the one used last, else the first one. */
function numberFor(
  row: ContactRow,
  words: readonly (readonly string[])[],
  usedAt: ReadonlyMap<string, string>,
): string {
  const numbers = numbersOf(row);
  const typed = words.flat().filter((word) => /\d{3}/u.test(word));
  const meant = numbers.find((number) => typed.some((word) => number.includes(word)));
  const used = numbers.toSorted((a, b) => compare(usedAt.get(b) ?? '', usedAt.get(a) ?? ''))[0];
  return meant ?? used ?? row.fax_number;
}

const compare = (a: string, b: string) => Number(a > b) - Number(a < b);
