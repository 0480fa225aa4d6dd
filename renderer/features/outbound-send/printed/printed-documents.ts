import { LIMITS } from '../../../../shared/limits.ts';
import { type PrintedDocument, printedQuery, printing } from '../../../api/printing.ts';
import { queryClient } from '../../../api/queries.ts';
import { randomId } from '../../../api/random-id.ts';
import type { DraftFile } from '../../../parts/draft-files.ts';
import { t } from '../../../texts/index.ts';
import { type Draft, withFiles } from '../draft/draft.ts';
import type { DraftStore } from '../draft/draft-store.ts';

/** Returns the name under which people see a printed document. */
export const nameOf = ({ name, source }: Pick<PrintedDocument, 'name' | 'source'>): string =>
  name || (source === 'scanner' ? t.send.printed.unnamedScan : t.send.printed.unnamed);

/** Returns the word for the way in which the pages came. */
export const kindOf = ({ source }: Pick<PrintedDocument, 'source'>): 'printed' | 'scanned' =>
  source === 'scanner' ? 'scanned' : 'printed';

/**
 * Puts the pages of a printed document into the draft, once, after taking it where it is no one's. It waits on until the fax
 * is sent. A draft without a number gets `to`. Returns a sentence where the draft has no room for it, else null. Rejects.
 */
export async function addToDraft(
  drafts: DraftStore,
  printed: PrintedDocument,
  to: string | null = null,
): Promise<string | null> {
  const { id } = printed;
  const params = { id };
  const name = nameOf(printed);
  if (drafts.get().draft.files.length >= LIMITS.filesPerFax) return t.send.tooMany(name, LIMITS.filesPerFax);
  if (!printed.mine) await printing.takePrinted({ params });
  const bytes = await printing.getDocument({ params });
  const file: DraftFile = {
    id: randomId(),
    // The name of what was printed may end as its own kind of file does.
    name: `${name.replace(/\.[a-z0-9]{1,5}$/iu, '').replaceAll(/[/:\\]/gu, '-')}.pdf`,
    title: '',
    content: new Blob([Uint8Array.from(bytes)], { type: 'application/pdf' }),
    printedAs: id,
  };
  drafts.change((now) => {
    if (now.files.some(({ printedAs }) => printedAs === id)) return now;
    const next = withFiles(now, [...now.files, file]);
    return to !== null && now.to.trim() === '' ? { ...next, to } : next;
  });
  await queryClient.invalidateQueries(printedQuery);
  return null;
}

/** Returns the number that the program gave with the document, as people read it; null for none. */
export const recipientOf = (
  { to }: Pick<PrintedDocument, 'to'>,
  phone: (number: string) => string,
): string | null => (to !== null && /^\+\d+$/u.test(to) ? phone(to) : to);

/** Returns true where the program gave a document another number than the draft has. */
export function isForAnother({ to }: Pick<PrintedDocument, 'to'>, draft: Pick<Draft, 'to'>): boolean {
  return to !== null && draft.to.trim() !== '' && digitsOf(to) !== digitsOf(draft.to);
}

const digitsOf = (number: string): string => number.replaceAll(/\D/gu, '');

/** Discards a printed document. Rejects. */
export async function discardPrinted({ id }: PrintedDocument): Promise<void> {
  await printing.removePrinted({ params: { id } });
  await queryClient.invalidateQueries(printedQuery);
}

/** Returns the ids of the printed documents among the files of a draft. */
export const printedIds = (files: readonly DraftFile[]): string[] => [
  ...new Set(files.flatMap(({ printedAs }) => printedAs ?? [])),
];
