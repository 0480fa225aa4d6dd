import { randomId } from '../../api/random-id.ts';
import type { DraftFile } from '../draft-files.ts';
import { changesOf, sentPages } from './page-order.ts';

/** Numbers of the chosen pages of each file, by the id of the file. */
export type ChosenPages = ReadonlyMap<string, ReadonlySet<number>>;

interface SplitFiles {
  /** The chosen pages, as documents of their own, in order. */
  readonly taken: readonly DraftFile[];
  /** The files without them; a file all of whose pages are chosen is not there. */
  readonly rest: readonly DraftFile[];
}

/** Chooses a page, or takes it back. */
export function toggled(chosen: ChosenPages, fileId: string, page: number): ChosenPages {
  const pages = new Set(chosen.get(fileId));
  if (!pages.delete(page)) pages.add(page);
  return new Map(chosen).set(fileId, pages);
}

/** Returns the chosen pages that are sent still; pages are left out and files removed meanwhile. */
export function countChosen(
  files: readonly DraftFile[],
  counts: readonly number[],
  chosen: ChosenPages,
): { chosen: number; all: number } {
  const sent = files.map((file, i) => sentPages(file.edits, counts[i] ?? 0));
  const isChosen = (i: number, page: number) => chosen.get(files[i]?.id ?? '')?.has(page) ?? false;
  return {
    chosen: sent.reduce((sum, pages, i) => sum + pages.filter(({ page }) => isChosen(i, page)).length, 0),
    all: sent.reduce((sum, pages) => sum + pages.length, 0),
  };
}

/** Divides files into the chosen pages and the rest; `counts` are their pages without changes. Changes to pages stay with them. */
export function splitFiles(
  files: readonly DraftFile[],
  counts: readonly number[],
  chosen: ChosenPages,
): SplitFiles {
  const parts = files.map((file, i) => partsOf(file, counts[i] ?? 0, chosen.get(file.id) ?? new Set()));
  return {
    taken: parts.flatMap(({ taken }) => taken ?? []),
    rest: parts.flatMap(({ rest }) => rest ?? []),
  };
}

/** Puts the chosen pages of each file into a document of its own, right behind the file. */
export function splitOff(
  files: readonly DraftFile[],
  counts: readonly number[],
  chosen: ChosenPages,
): readonly DraftFile[] {
  return files.flatMap((file, i) => {
    const { taken, rest } = partsOf(file, counts[i] ?? 0, chosen.get(file.id) ?? new Set());
    return taken === null || rest === null ? [file] : [rest, taken];
  });
}

function partsOf(
  file: DraftFile,
  pages: number,
  chosen: ReadonlySet<number>,
): { taken: DraftFile | null; rest: DraftFile | null } {
  const sent = sentPages(file.edits, pages);
  const taken = sent.filter(({ page }) => chosen.has(page));
  const rest = sent.filter(({ page }) => !chosen.has(page));
  const withPages = (edits: typeof sent, id: string): DraftFile | null => {
    if (edits.length === 0) return null;
    const { edits: _before, ...plain } = file;
    const changes = changesOf(edits, pages);
    return changes === undefined ? { ...plain, id } : { ...plain, id, edits: changes };
  };
  return { taken: withPages(taken, randomId()), rest: withPages(rest, file.id) };
}
