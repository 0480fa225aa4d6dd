import type { z } from 'zod';
import type { DirectoryMatch, DirectoryMatches } from '../../../../shared/api/contacts-directory.ts';
import { LIMITS } from '../../../../shared/limits.ts';
import { INVISIBLE_CHARACTERS } from '../../../../shared/visible-text.ts';
import { type DirectoryEntry, DirectoryError } from '../../../adapters/directory/port.ts';
import { requestedNumber } from '../../../platform/phone-number.ts';
import type { Caller } from '../../access/service.ts';
import { directoryUnavailable } from '../errors.ts';
import type { ContactsParts } from '../parts.ts';
import { namesOf } from '../store/contact-store.ts';
import { contactScope } from '../visibility.ts';

/** Shorter texts match too much of a directory. */
const MIN_TYPED = 2;
const MAX_WORDS = 5;
/** A directory serves the whole office; further searches are refused until one of these ends. */
const MAX_SEARCHES = 8;

type Match = z.infer<typeof DirectoryMatch>;

type LookUp = (
  caller: Caller,
  request: { readonly q: string; readonly limit: number },
) => Promise<z.infer<typeof DirectoryMatches>>;

/**
 * Makes the search of the office directory. It returns the entries that a typed text may mean and whose fax number can be
 * called, each with the contact that has the number. Throws a 503 refusal while the directory cannot be searched.
 */
export function createLookUp(
  parts: Pick<ContactsParts, 'db' | 'country' | 'directories' | 'directory'>,
): LookUp {
  let running = 0;
  return async (caller, { q, limit }) => {
    const account = parts.directory();
    if (account === null) return { configured: false, items: [] };
    const words = q.trim().split(/\s+/u).slice(0, MAX_WORDS);
    if (q.trim().length < MIN_TYPED) return { configured: true, items: [] };
    if (running >= MAX_SEARCHES)
      throw directoryUnavailable(
        'Many people are searching the office directory now. Try again in a moment.',
      );
    running += 1;
    try {
      const entries = await parts.directories.search(account, { words, limit });
      const matches = entries.flatMap((entry) => matchOf(entry, parts.country()) ?? []);
      return { configured: true, items: await withContacts(parts, caller, matches) };
    } catch (error) {
      throw error instanceof DirectoryError ? directoryUnavailable(error.message, error) : error;
    } finally {
      running -= 1;
    }
  };
}

/** Returns null for an entry without a fax number that can be called. */
function matchOf(entry: DirectoryEntry, country: string): Omit<Match, 'contact'> | null {
  const [first, ...others] = [
    ...new Set(entry.faxNumbers.flatMap((typed) => requestedNumber(typed, country) ?? [])),
  ];
  if (first === undefined) return null;
  const lengths = LIMITS.contactLengths;
  const organization = lineOf(entry.organization, lengths.name);
  const address = entry.address.map((line) => lineOf(line, lengths.address) ?? '').join('\n');
  return {
    name: lineOf(entry.name, lengths.name) ?? organization ?? first,
    organization,
    fax_number: first,
    other_fax_numbers: others.slice(0, LIMITS.contactNumbers),
    voice_number: entry.phone === null ? null : requestedNumber(entry.phone, country),
    address: address.slice(0, lengths.address).trim() || null,
  };
}

function lineOf(text: string | null, length: number): string | null {
  const line = text?.replaceAll(/\s+/gu, ' ').replaceAll(INVISIBLE_CHARACTERS, '').trim() ?? '';
  return line.slice(0, length).trim() || null;
}

async function withContacts(
  { db }: Pick<ContactsParts, 'db'>,
  caller: Caller,
  matches: readonly Omit<Match, 'contact'>[],
): Promise<Match[]> {
  const numbers = matches.map(({ fax_number }) => fax_number);
  const named = await namesOf(db.read, [...new Set(numbers)], contactScope(caller));
  const contacts = new Map(named.map(({ number, id, name }) => [number, { id, name }]));
  return matches.map((match) => ({ ...match, contact: contacts.get(match.fax_number) ?? null }));
}
