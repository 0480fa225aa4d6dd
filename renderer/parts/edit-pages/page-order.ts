import type { EditedPage, FileEdits, PageEdits, PageTurn } from '../../../shared/page-edits.ts';
import type { DraftFile } from '../draft-files.ts';
import { changePage, turnItems } from './page-marks.ts';

/** Files of a draft whose pages can be changed. */
export interface EditableFiles {
  readonly files: readonly DraftFile[];
  readonly onFiles: (change: (files: readonly DraftFile[]) => readonly DraftFile[]) => void;
  /** Saves these files as a draft under a name; null where there are no drafts. Rejects where the browser keeps none. */
  readonly onSeparate: ((files: readonly DraftFile[], name: string) => Promise<void>) | null;
}

/** Returns a page without changes. */
export const asItIs = (page: number): EditedPage => ({ page, turn: 0, crop: null, marks: [] });

/** Returns the pages of a file in the order in which they are sent. */
export function sentPages(edits: FileEdits | undefined, pages: number): FileEdits {
  return edits ?? Array.from({ length: pages }, (_, i) => asItIs(i + 1));
}

/** Returns the pages of a file that are left out, in their order. */
export function leftOut(edits: FileEdits | undefined, pages: number): readonly number[] {
  const sent = new Set(sentPages(edits, pages).map(({ page }) => page));
  return Array.from({ length: pages }, (_, i) => i + 1).filter((page) => !sent.has(page));
}

/** Turns a page clockwise by a quarter, with everything that is on it; `aspect` is its width divided by its height in the file. */
export function turnPage(sent: FileEdits, page: number, aspect: number): FileEdits {
  return changePage(sent, page, (one) => ({
    ...one,
    ...turnItems(one, one.turn % 180 === 0 ? aspect : 1 / aspect),
    turn: ((one.turn + 90) % 360) as PageTurn,
  }));
}

/** Moves a page by steps; the order stays when it is at an end already. */
export function movePage(sent: FileEdits, page: number, steps: number): FileEdits {
  const from = sent.findIndex((one) => one.page === page);
  const to = from + steps;
  const moved = sent[from];
  if (!moved || to < 0 || to >= sent.length) return sent;
  return sent.toSpliced(from, 1).toSpliced(to, 0, moved);
}

/** Leaves a page out. The last one stays: a file without pages is removed from the fax instead. */
export function leavePageOut(sent: FileEdits, page: number): FileEdits {
  return sent.length > 1 ? sent.filter((one) => one.page !== page) : sent;
}

/** Puts a page that was left out back before the first page with a higher number. */
export function putPageBack(sent: FileEdits, page: number): FileEdits {
  const next = sent.findIndex((one) => one.page > page);
  return sent.toSpliced(next === -1 ? sent.length : next, 0, asItIs(page));
}

/** Returns the changes of a file; undefined where its pages are sent as they are. */
export function changesOf(sent: FileEdits, pages: number): FileEdits | undefined {
  const isUnchanged =
    sent.length === pages &&
    sent.every(
      ({ page, turn, crop, marks }, i) => page === i + 1 && turn === 0 && crop === null && marks.length === 0,
    );
  return isUnchanged ? undefined : sent;
}

/** Returns the changes of all files as a fax takes them; null where there are none. */
export function pageEditsOf(files: readonly Pick<DraftFile, 'edits'>[]): PageEdits | null {
  if (files.every(({ edits }) => edits === undefined)) return null;
  return files.map(({ edits }) => edits ?? null);
}

/** True when both are the same changes. */
export const areSameEdits = (one: PageEdits | null, other: PageEdits | null): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
