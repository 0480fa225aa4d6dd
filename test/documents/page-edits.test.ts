import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { PDFDict, PDFDocument, PDFName, PDFRawStream } from 'pdf-lib';
import sharp from 'sharp';
import { afterAll, describe, expect, test } from 'vitest';
import type { DocumentSource, PreparedDocument } from '../../server/documents/documents.ts';
import { EDIT_LIMITS, type EditedPage, type FileEdits, type PageBox } from '../../shared/page-edits.ts';
import { flate, rawPdf } from '../fixtures/pdf-parts.ts';
import { referee, unlessMissing } from '../fixtures/referees.ts';
import { SECRET, SECRET_BOX, secretDocuments } from '../fixtures/secret-documents.ts';
import { openWorkspace } from './workspace.ts';

const workspace = openWorkspace();
afterAll(async () => await workspace.close());

const poppler = unlessMissing('pdftotext', 'pdfimages');
const DOCUMENTS = await secretDocuments();
let counter = 0;

const pageOf = (page: number, more: Partial<EditedPage> = {}): EditedPage => ({
  page,
  turn: 0,
  crop: null,
  marks: [],
  ...more,
});

async function edit(bytes: Buffer, edits: FileEdits, name = 'document.pdf'): Promise<PreparedDocument> {
  const path = workspace.file(`source-${counter++}-${name}`, bytes);
  const source: DocumentSource = { path, fileName: name, declaredType: null, edits };
  const output = join(workspace.folder, `result-${counter}.pdf`);
  const result = await workspace.documents.prepare([source], output, { maxBytes: 50 * 1024 * 1024 });
  expect(readFileSync(path).equals(bytes)).toBe(true);
  return result;
}

interface Picture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Buffer;
}

async function draw(path: string): Promise<Picture[]> {
  const folder = join(workspace.folder, `pictures-${counter++}`);
  mkdirSync(folder);
  const { pages } = await workspace.documents.preview(path, folder, { headerLine: null, cleanGreys: false });
  return Promise.all(
    pages.map(async ({ pngPath }) => {
      const { data, info } = await sharp(pngPath).greyscale().raw().toBuffer({ resolveWithObject: true });
      return { width: info.width, height: info.height, pixels: data };
    }),
  );
}

/** Counts the black dots of a box, and all of its dots. */
function dotsIn({ width, height, pixels }: Picture, box: PageBox): { black: number; all: number } {
  let [black, all] = [0, 0];
  for (let y = Math.ceil(box.y * height); y < Math.floor((box.y + box.height) * height); y++)
    for (let x = Math.ceil(box.x * width); x < Math.floor((box.x + box.width) * width); x++) {
      all++;
      if ((pixels[y * width + x] ?? 255) < 128) black++;
    }
  return { black, all };
}

/** The box on the page turned clockwise by a quarter. */
const turned = ({ x, y, width, height }: PageBox): PageBox => ({
  x: 1 - y - height,
  y: x,
  width: height,
  height: width,
});

/** The box without its edges: a page may be narrower than the paper. */
const inner = ({ x, y, width, height }: PageBox): PageBox => ({
  x: x + 0.015,
  y: y + 0.015,
  width: width - 0.03,
  height: height - 0.03,
});

const NEEDLES = [
  SECRET,
  Buffer.from(SECRET).toString('hex'),
  Buffer.from(SECRET, 'utf16le').toString('latin1'),
];
const hasSecret = (bytes: Uint8Array) => {
  const text = Buffer.from(bytes).toString('latin1');
  const shifted = Buffer.from(SECRET, 'utf16le').swap16();
  return (
    NEEDLES.some((needle) => text.toLowerCase().includes(needle.toLowerCase())) ||
    text.toLowerCase().includes(shifted.toString('hex')) ||
    Buffer.from(bytes).includes(shifted)
  );
};

/** Types of objects that draw an added text. */
const FONT_TYPES = ['/Font', '/FontDescriptor', '/CMap'];

/** Walks every object of a result: only pages, their pictures, added texts and what draws these are allowed. */
async function walk(bytes: Buffer, hasText: boolean): Promise<void> {
  expect(hasSecret(bytes)).toBe(false);
  const pdf = await PDFDocument.load(bytes, { updateMetadata: false });
  expect(pdf.context.trailerInfo.Info).toBeUndefined();
  for (const [, object] of pdf.context.enumerateIndirectObjects()) {
    const dict = object instanceof PDFRawStream ? object.dict : object;
    if (!(dict instanceof PDFDict)) continue;
    const names = dict.keys().map((key) => key.decodeText());
    for (const name of [
      'Annots',
      'Metadata',
      'AcroForm',
      'Names',
      'AF',
      'Outlines',
      'PieceInfo',
      'Thumb',
      'SMask',
    ])
      expect(names).not.toContain(name);
    const type = dict.get(PDFName.of('Type'));
    const types = ['/Catalog', '/Pages', '/Page', '/XObject', ...(hasText ? FONT_TYPES : []), undefined];
    expect(types).toContain(type?.toString());
    if (!(object instanceof PDFRawStream)) continue;
    const filter = dict.get(PDFName.of('Filter'))?.toString();
    expect(['/CCITTFaxDecode', '/FlateDecode']).toContain(filter);
    if (filter === '/FlateDecode') expect(hasSecret(inflateSync(object.contents))).toBe(false);
  }
}

/** Put on the page besides the box, away from it. */
const ADDED = [
  { kind: 'text', x: 0.1, y: 0.85, size: 14, text: 'Added later' },
  { kind: 'tick', box: { x: 0.5, y: 0.85, width: 0.04, height: 0.03 } },
] as const;

describe('rule (documents): nothing of what is covered remains in the result', () => {
  for (const { name, bytes } of DOCUMENTS)
    test(`of ${name}`, async () => {
      const before = createHash('sha256').update(bytes).digest('hex');
      for (const kind of ['redact', 'whiteout'] as const) {
        const isTurned = kind === 'whiteout';
        const box = isTurned ? turned(SECRET_BOX) : SECRET_BOX;
        const marks = [{ kind, box }, ...(isTurned ? ADDED : [])];
        const result = await edit(bytes, [pageOf(1, { turn: isTurned ? 90 : 0, marks })], name);
        const file = readFileSync(result.path);
        await walk(file, isTurned);
        const [page] = await draw(result.path);
        if (!page) throw new Error('no page');
        const { black, all } = dotsIn(page, inner(box));
        expect(black).toBe(kind === 'redact' ? all : 0);
        const everything = { x: 0, y: 0, width: 1, height: 1 };
        const rest = dotsIn(page, everything).black - black;
        expect(rest).toBeGreaterThan(500);
        if (!poppler.skip) {
          const text = referee('pdftotext', [result.path, '-']).toString().trim();
          expect(text).toBe(isTurned ? 'Added later' : '');
          const pictures = referee('pdfimages', ['-list', result.path])
            .toString()
            .trim()
            .split('\n')
            .slice(2);
          expect(pictures).toHaveLength(1);
        }
      }
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(before);
    });
  test('of at least 50 documents', () => {
    expect(DOCUMENTS.length).toBeGreaterThanOrEqual(50);
  });
});

/** Pages whose text is their number, each as a bar of its own height on the left. */
function numberedPages(count: number): Buffer {
  const kids = Array.from({ length: count }, (_, i) => `${3 + i * 2} 0 R`).join(' ');
  const pages = Array.from({ length: count }, (_, i) => [
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${4 + i * 2} 0 R >>`,
    flate('', `0 ${842 - 80 * (i + 1)} 300 40 re f`),
  ]);
  return rawPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${count} >>`,
    ...pages.flat(),
  ]);
}

/** Numbers of the pages that a picture may show: those whose bar it has. */
const barsOf = (picture: Picture): number[] =>
  [1, 2, 3, 4].filter((number) => {
    const top = (80 * number - 40) / 842;
    const { black, all } = dotsIn(picture, { x: 0.1, y: top + 0.01, width: 0.3, height: 0.02 });
    return black === all;
  });

test('sends the named pages in their order, without the others', async () => {
  const result = await edit(numberedPages(4), [pageOf(3), pageOf(1)]);
  expect(result.pages).toBe(2);
  expect((await draw(result.path)).map(barsOf)).toEqual([[3], [1]]);
});

test('turns a page, and cuts it to a part of the turned page', async () => {
  const source = numberedPages(1);
  const [turnedPage] = await draw((await edit(source, [pageOf(1, { turn: 180 })])).path);
  // The bar at the top left is at the bottom right.
  expect(dotsIn(turnedPage!, { x: 0.6, y: 1 - 75 / 842, width: 0.3, height: 0.03 })).toSatisfy(
    ({ black, all }: { black: number; all: number }) => black === all && all > 0,
  );
  const crop = { x: 0.5, y: 0.9, width: 0.5, height: 0.1 };
  const [cut] = await draw((await edit(source, [pageOf(1, { turn: 180, crop })])).path);
  const share = dotsIn(cut!, { x: 0, y: 0, width: 1, height: 1 });
  // The bar is 300 by 40 points of the 297 by 84 that are left.
  expect(share.black / share.all).toBeGreaterThan(0.4);
  expect(share.black / share.all).toBeLessThan(0.55);
});

test('a box keeps its place on a page that is cut, and what is cut off is gone', async () => {
  const box = { x: 0.5, y: 0.5, width: 0.25, height: 0.25 };
  const crop = { x: 0.5, y: 0.5, width: 0.5, height: 0.5 };
  const mark = { kind: 'redact', box } as const;
  const result = await edit(numberedPages(1), [pageOf(1, { crop, marks: [mark] })]);
  const [page] = await draw(result.path);
  const inside = dotsIn(page!, { x: 0.05, y: 0.02, width: 0.42, height: 0.46 });
  const outside = dotsIn(page!, { x: 0.53, y: 0.52, width: 0.4, height: 0.4 });
  expect([inside.black, outside.black]).toEqual([inside.all, 0]);
});

test('puts texts of any script and ticks on a page', async () => {
  const marks = [
    { kind: 'text', x: 0.1, y: 0.5, size: 20, text: 'Refill: 30 tablets\nMüller 検査' },
    { kind: 'tick', box: { x: 0.6, y: 0.6, width: 0.1, height: 0.07 } },
  ] as const;
  const result = await edit(numberedPages(1), [pageOf(1, { marks })]);
  const [page] = await draw(result.path);
  expect(dotsIn(page!, { x: 0.1, y: 0.5, width: 0.4, height: 0.07 }).black).toBeGreaterThan(2000);
  expect(dotsIn(page!, { x: 0.6, y: 0.6, width: 0.1, height: 0.07 }).black).toBeGreaterThan(300);
  if (!poppler.skip) expect(referee('pdftotext', [result.path, '-']).toString()).toContain('Müller 検査');
});

test('changes one of several files and leaves the others as they are', async () => {
  const path = workspace.file('two.pdf', numberedPages(2));
  const source = { path, fileName: 'two.pdf', declaredType: null };
  const output = join(workspace.folder, 'merged.pdf');
  const sources = [source, { ...source, edits: [pageOf(2)] }];
  const result = await workspace.documents.prepare(sources, output, { maxBytes: 50 * 1024 * 1024 });
  expect(result.pages).toBe(3);
  expect((await draw(output)).map(barsOf)).toEqual([[1], [2], [2]]);
});

test('refuses a change to a page that the document does not have', async () => {
  await expect(edit(numberedPages(2), [pageOf(3)])).rejects.toThrow(
    'Page 3 was to be changed, but the document has 2 pages.',
  );
});

test('covers the largest number of boxes in a moment', async () => {
  const box = (i: number) => ({ x: (i % 10) / 10, y: Math.floor(i / 10) / 10, width: 0.1, height: 0.1 });
  const marks = Array.from(
    { length: EDIT_LIMITS.marksPerPage },
    (_, i) => ({ kind: 'redact', box: box(i) }) as const,
  );
  const result = await edit(numberedPages(1), [pageOf(1, { marks })]);
  const [page] = await draw(result.path);
  const { black, all } = dotsIn(page!, { x: 0.02, y: 0, width: 0.96, height: 1 });
  expect(black).toBe(all);
});
