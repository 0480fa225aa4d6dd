import type { z } from 'zod';
import type { Contact } from '../../../shared/api/contacts.ts';
import { requestedNumber } from '../../platform/phone-number.ts';
import { foldName, searchTerms } from '../../platform/search-text.ts';
import { type Caller, mailboxLabels } from '../access/service.ts';
import { listsOf, numbersOf } from './contact-row.ts';
import { badNumber } from './errors.ts';
import { isInForce, memoryOf } from './line-calls.ts';
import type { ContactsParts } from './parts.ts';
import { lineMemories } from './store/line-memory-store.ts';
import { listContacts } from './store/list-store.ts';
import { optedOutAmong } from './store/opt-out-store.ts';
import type { ContactRow } from './types.ts';
import { contactScope } from './visibility.ts';

export type ContactAnswer = z.infer<typeof Contact>;

/** Query for the list of contacts; the number is as typed. */
export interface ListRequest {
  readonly ids?: readonly string[] | undefined;
  readonly q?: string | undefined;
  readonly fax_number?: string | undefined;
  readonly blocked?: boolean | undefined;
  readonly opted_out?: boolean | undefined;
  readonly tag?: string | undefined;
  readonly has_key?: boolean | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Lists contacts by name. Throws a 400 refusal for an invalid number. */
export async function searchContacts(
  parts: ContactsParts,
  caller: Caller,
  { q, fax_number, has_key: hasKey, opted_out: optedOut, tag: typedTag, ...request }: ListRequest,
): Promise<{ items: ContactAnswer[]; next_cursor: string | null }> {
  const number = fax_number === undefined ? undefined : requestedNumber(fax_number, parts.country());
  if (number === null) throw badNumber();
  const words = q === undefined ? undefined : wordsOf(q);
  const tag = typedTag === undefined ? undefined : foldName(typedTag);
  const filter = { ...request, scope: contactScope(caller), hasKey, optedOut, tag, number, words };
  const page = await listContacts(parts.db.read, filter);
  return { items: await presentAll(parts, caller, page.items), next_cursor: page.next_cursor };
}

/** Each word that was typed, in any place; a number with its groups is one. */
export function wordsOf(typed: string): string[][] {
  const [text, digits] = searchTerms(typed);
  if (text === undefined) return [];
  // The zeros before a national number are not in its E.164 form.
  const number = (digits ?? text).replace(/^\+?0+/u, '');
  if (digits !== undefined || /^\+?\d+$/u.test(text))
    return [[...new Set([text, number])].filter((one) => one !== '')];
  return text.split(' ').map((word) => [word]);
}

/** Returns the contacts with facts about their numbers from the faxes that the caller may see. */
export async function presentAll(
  { memory, db, clock, routes }: ContactsParts,
  caller: Caller,
  rows: readonly ContactRow[],
): Promise<ContactAnswer[]> {
  const numbers = rows.flatMap(numbersOf);
  const facts = await memory().factsOf(caller, numbers);
  const learned = await shownMemories({ memory, db, clock }, caller, numbers);
  const named = await routes.namesOf(
    db.read,
    rows.flatMap(({ preferred_route }) => preferred_route ?? []),
  );
  const mailboxes = await mailboxLabels(
    db.read,
    rows.flatMap(({ owner_mailbox_id }) => owner_mailbox_id ?? []),
  );
  const listed = await optedOutAmong(db.read, numbers);
  return rows.map((row) => {
    const { sort_name: _sorted, search_text: _searched, shared_key: _key, ...rest } = row;
    const { blocked, preferred_route: id, accepts_references, ...shown } = rest;
    const own = numbersOf(row);
    const known = own.flatMap((number) => facts.get(number) ?? []);
    const reached = known.flatMap(({ last_success_at }) => last_success_at ?? []);
    const line_memory = own.map((number) => learned.get(number)).find((found) => found !== undefined) ?? null;
    const route = id === null ? undefined : named.get(id);
    const preferred_route = id === null || route === undefined ? null : { id, name: route };
    return {
      ...shown,
      ...listsOf(row),
      owner_mailbox: mailboxes.get(row.owner_mailbox_id ?? '') ?? null,
      preferred_route,
      blocked: blocked === 1,
      opted_out: row.opted_out_at !== null,
      opted_out_numbers: own.filter((number) => listed.has(number)),
      accepts_references: accepts_references === 1,
      last_success_at: reached.toSorted().at(-1) ?? null,
      recent_failures: known.reduce((sum, { recent_failures }) => sum + recent_failures, 0),
      line_memory,
    };
  });
}

/** Returns the line memories in force, for numbers with a sent fax that the caller may see. */
async function shownMemories(
  { memory, db, clock }: Pick<ContactsParts, 'memory' | 'db' | 'clock'>,
  caller: Caller,
  numbers: readonly string[],
): Promise<Map<string, NonNullable<ContactAnswer['line_memory']>>> {
  const rows = [...(await lineMemories(db.read, numbers)).values()];
  const active = rows.filter((row) => isInForce(memoryOf(row), clock.now()));
  if (active.length === 0) return new Map();
  const seen = await memory().seenNumbers(
    caller,
    active.map(({ to_number }) => to_number),
  );
  return new Map(
    active
      .filter(({ to_number }) => seen.has(to_number))
      .map(({ to_number, without_t38, without_ecm, most_rate_bps, learned_at, expires_at }) => [
        to_number,
        {
          without_t38: without_t38 === 1,
          without_ecm: without_ecm === 1,
          most_rate_bps,
          learned_at,
          expires_at,
        },
      ]),
  );
}
