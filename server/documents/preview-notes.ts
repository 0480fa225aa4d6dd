import type { FaxPage } from './raster/fax-pages.ts';
import { muchGrey } from './raster/greys.ts';
import { paperLines } from './raster/page-geometry.ts';

type NoteKind = 'tiny_print' | 'much_grey' | 'long_page';

/** Note about a page for the sender to read before it is sent. */
export interface PreviewNote {
  kind: NoteKind;
  page: number;
  text: string;
}

/** A footnote mark is no small print: this many pieces of text, or this share of them, are. */
const manyTinyTexts = 8;
const tinyShare = 0.2;

/** Returns the notes about a page. */
export function notesOf(page: FaxPage): PreviewNote[] {
  const notes: PreviewNote[] = [];
  const add = (kind: NoteKind, text: string): number => notes.push({ kind, page: page.number, text });
  if (page.tinyTexts > 0 && (page.tinyTexts >= manyTinyTexts || page.tinyTexts >= page.texts * tinyShare)) {
    add('tiny_print', `Page ${page.number} has text smaller than 7 points, which may be hard to read.`);
  }
  if (page.greyShare >= muchGrey) {
    add(
      'much_grey',
      `Page ${page.number} has large gray areas, which make the call longer. “Clean up grays” removes them.`,
    );
  }
  if (page.page.height > paperLines) {
    add(
      'long_page',
      `Page ${page.number} is longer than an A4 sheet. The recipient’s machine may print it on several sheets.`,
    );
  }
  return notes;
}
