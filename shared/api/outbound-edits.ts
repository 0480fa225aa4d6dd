import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import { EDIT_LIMITS, type PageEdits as Edits, PAGE_TURNS, PICTURE_KINDS } from '../page-edits.ts';
import { Id, jsonText } from './values.ts';

const Share = z.number().min(0).max(1);
const Length = z.number().min(0.001).max(1);
const PageBox = z
  .strictObject({
    x: Share.describe('left edge'),
    y: Share.describe('upper edge'),
    width: Length.describe('share of the width of the page'),
    height: Length.describe('share of the height of the page'),
  })
  .refine(({ x, y, width, height }) => x + width <= 1.001 && y + height <= 1.001, 'must be inside the page')
  .meta({ id: 'PageBox', description: 'part of a page in shares of its size, from the upper left corner' });

const boxMark = <const K extends string>(kind: K) =>
  z.strictObject({ kind: z.literal(kind).describe('kind of mark'), box: PageBox });

const pictureMark = <const K extends string>(kind: K) =>
  z.strictObject({
    kind: z.literal(kind).describe('kind of mark'),
    box: PageBox,
    picture: Id.describe('id of a signature or stamp of the caller'),
  });

const PageMark = z
  .discriminatedUnion('kind', [
    boxMark('whiteout'),
    boxMark('redact'),
    boxMark('tick'),
    ...PICTURE_KINDS.map(pictureMark),
    z.strictObject({
      kind: z.literal('text').describe('kind of mark'),
      x: Share.describe('left edge'),
      y: Share.describe('upper edge'),
      size: z.number().min(EDIT_LIMITS.leastTextSize).max(EDIT_LIMITS.mostTextSize).describe('in points'),
      text: z
        .string()
        .min(1)
        .max(EDIT_LIMITS.markTextLength)
        .regex(/^(?:[^\p{Cc}\p{Cs}]|\n)*$/u, 'must be visible text')
        .describe('lines, separated by line feeds'),
    }),
  ])
  .meta({ id: 'PageMark', description: 'something that is put on a page' });

const EditedPage = z
  .strictObject({
    page: z.number().int().min(1).max(EDIT_LIMITS.pagesPerFile).describe('its number in the file, from 1'),
    turn: z
      .union(PAGE_TURNS.map((turn) => z.literal(turn)))
      .default(0)
      .describe('degrees clockwise'),
    crop: PageBox.nullable().default(null).describe('the part that is sent; null for the whole page'),
    marks: z
      .array(PageMark)
      .max(EDIT_LIMITS.marksPerPage)
      .default([])
      .describe('in order, on the page as it is turned and before it is cut'),
  })
  .meta({ id: 'EditedPage', description: 'page of a file as it is sent' });

const FileEdits = z
  .array(EditedPage)
  .min(1)
  .max(EDIT_LIMITS.pagesPerFile)
  .refine((pages) => new Set(pages.map(({ page }) => page)).size === pages.length, 'names a page twice');

const marksOf = (files: Edits) => files.flatMap((file) => (file ?? []).flatMap(({ marks }) => marks));

/** Changes to the pages of a fax, one entry for each file. */
export const PageEdits = z
  .array(FileEdits.nullable())
  .max(LIMITS.filesPerFax)
  .refine(
    (files) => marksOf(files).length <= EDIT_LIMITS.marksPerFax,
    `can have at most ${EDIT_LIMITS.marksPerFax} marks`,
  )
  .refine(
    (files) => marksOf(files).filter((mark) => 'picture' in mark).length <= EDIT_LIMITS.picturesPerFax,
    `can have at most ${EDIT_LIMITS.picturesPerFax} signatures and stamps`,
  );

/** The same as the JSON text of a form field. */
export const PageEditsField = jsonText(PageEdits, EDIT_LIMITS.textLength).describe(
  'JSON: one list for each file, in order, or null for a file that is sent as it is. A list names the pages that are sent, in order: `{"page": 2, "turn": 90, "crop": {…}, "marks": [{"kind": "redact", "box": {"x": 0.1, "y": 0.2, "width": 0.3, "height": 0.05}}]}`. Pages that it does not name are left out. Kinds of marks: `redact` (black), `whiteout`, `tick`, `text` with `x`, `y`, `size` in points and `text`, and `signature` and `stamp` with `box` and the id of a `picture` of the caller (`GET /desk/signatures`). All measures are shares of the page as it is turned. Such a file is drawn anew as the fax prints it: nothing that is covered, cut off or left out remains in what is sent. The original is kept beside it',
);

const Count = z.number().int().min(0);

/** Changes of a sent fax in numbers, with the original that is kept beside it. */
export const FaxEdits = z
  .strictObject({
    original: z
      .strictObject({
        sha256: z.string().describe('SHA-256, lowercase hex'),
        size_bytes: Count.describe('size'),
        pages: Count.describe('number of pages'),
      })
      .describe('the document before the changes; `GET /fax/{id}/original` returns it while it is kept'),
    left_out: Count.describe('number of pages that are not sent'),
    moved: z.boolean().describe('true if pages were sent in another order'),
    turned: Count.describe('number of pages'),
    cropped: Count.describe('number of pages'),
    redacted: Count.describe('number of places'),
    whited_out: Count.describe('number of places'),
    texts: Count.describe('number of texts'),
    ticks: Count.describe('number of check marks'),
    signatures: Count.describe('number of signatures'),
    stamps: Count.describe('number of stamps'),
    signed_by: z
      .string()
      .nullable()
      .describe('name of the person whose signatures and stamps were put on the pages; null for none'),
  })
  .meta({ id: 'FaxEdits' });
export type FaxEdits = z.infer<typeof FaxEdits>;
