import { forgetWithPerson } from '../../api/person-memory.ts';

/** A note that was typed and not handed in, with the version of the item that its writer saw. */
interface NoteDraft {
  readonly text: string;
  readonly version: number | null;
}

type NoteKind = 'done' | 'note';

/** Under which the note for several items is kept. */
const SEVERAL = 'chosen';

/** Key of the note that finishes an item, or of one that does not; `id` is null for several items. */
export const noteKey = (kind: NoteKind, id: string | null): string => `${kind} ${id ?? SEVERAL}`;

const EMPTY: NoteDraft = { text: '', version: null };
const drafts = new Map<string, NoteDraft>();
forgetWithPerson(() => drafts.clear());

/** By item, so that moving to another one and back loses nothing; gone when the page is, or its person. */
export const noteDraft = (key: string): NoteDraft => drafts.get(key) ?? EMPTY;

export function keepNote(key: string, draft: NoteDraft): void {
  if (draft.text === '') drafts.delete(key);
  else drafts.set(key, draft);
}

/** Deletes the notes that were submitted for these items. */
export function forgetNotes(kind: NoteKind, items: readonly { readonly id: string }[]): void {
  for (const { id } of items) drafts.delete(noteKey(kind, id));
  if (items.length > 1) drafts.delete(noteKey(kind, null));
}
