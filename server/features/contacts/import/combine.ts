import { LIMITS } from '../../../../shared/limits.ts';
import { foldName } from '../../../platform/search-text.ts';
import type { ContactFields } from '../types.ts';
import type { EntryFields } from './read-entry.ts';

/** Both as one, or a sentence with the reason why they do not fit. */
type Combined<T> = T | { readonly problem: string };

const MAX_NUMBERS = LIMITS.contactNumbers + 1;
/** Texts of which one is kept; the other goes to the note, so that nothing is lost. */
const SINGLE = ['name', 'organization', 'voice_number', 'address', 'consent_note'] as const;

/** Combines two entries of a file that are about one contact. The first one goes before, and all numbers stay. */
export function combineEntries(first: EntryFields, second: EntryFields): Combined<EntryFields> {
  const numbers = [...new Set([...first.numbers, ...second.numbers])];
  const tags = tagsOf(first.tags ?? [], second.tags ?? []);
  const note = noteOf(first, second);
  const problem = problemOf(numbers, tags);
  if (problem !== null) return { problem };
  if ((note?.length ?? 0) > LIMITS.contactLengths.note)
    return { problem: 'Their notes do not fit into one.' };
  return {
    ...second,
    ...first,
    numbers,
    ...(tags.length > 0 && { tags }),
    ...(note !== undefined && { note }),
    ...(second.blocked === true && { blocked: true }),
    ...(second.opted_out === true && { opted_out: true }),
  };
}

/**
 * Returns a contact as an entry changes it: it loses no number, no tag and no opt-out, and keeps what the entry does not
 * name.
 */
export function combineWithContact(
  before: ContactFields,
  { numbers: given, opted_out_at: _since, ...fields }: EntryFields,
): Combined<ContactFields> {
  const numbers = [...new Set([before.fax_number, ...before.other_fax_numbers, ...given])];
  const tags = tagsOf(before.tags, fields.tags ?? []);
  const problem = problemOf(numbers, tags);
  if (problem !== null) return { problem };
  return {
    ...before,
    ...fields,
    other_fax_numbers: numbers.slice(1),
    tags,
    opted_out: before.opted_out || fields.opted_out === true,
  };
}

function problemOf(numbers: readonly string[], tags: readonly string[]): string | null {
  if (numbers.length > MAX_NUMBERS) return `Together they have more than ${MAX_NUMBERS} fax numbers.`;
  if (tags.length > LIMITS.contactTags) return `Together they have more than ${LIMITS.contactTags} tags.`;
  return null;
}

/** The tags of both, as the first one writes them. */
function tagsOf(first: readonly string[], second: readonly string[]): string[] {
  const tags = new Map<string, string>();
  for (const tag of [...first, ...second]) if (!tags.has(foldName(tag))) tags.set(foldName(tag), tag);
  return [...tags.values()];
}

function noteOf(first: EntryFields, second: EntryFields): string | undefined {
  const lost = SINGLE.flatMap((name) => {
    const [mine, theirs] = [first[name], second[name]];
    return !mine || !theirs || mine === theirs ? [] : [theirs.replaceAll('\n', ', ')];
  });
  const texts = [first.note, second.note, lost.join(' · ')].filter((text) => text);
  return texts.length === 0 ? undefined : [...new Set(texts)].join('\n');
}
