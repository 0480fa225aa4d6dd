import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import type { HeaderWords } from '../../server/documents/documents.ts';
import { packPixels } from '../../server/documents/pictures/pack-pixels.ts';
import { paperLines, placePage } from '../../server/documents/raster/page-geometry.ts';
import { blankPage, type OneBitPage } from '../../server/documents/t4/one-bit-page.ts';
import { firstDifference, fromNetpbm, pixelAt, unmatchedInk } from '../fixtures/bitmaps.ts';
import { drawingPdf, photoPdf } from '../fixtures/make-drawings.ts';
import { referee, unlessMissing } from '../fixtures/referees.ts';
import { openWorkspace } from './workspace.ts';

const workspace = openWorkspace();
afterAll(async () => await workspace.close());

const plain = { headerLine: null, cleanGreys: false };
const poppler = unlessMissing('pdftoppm', 'qpdf');
const libtiff = unlessMissing('tiffinfo', 'tiffcp');
const header = (...parts: string[]): HeaderWords => ({ parts, isNumbered: false });
let counter = 0;

async function readPng(path: string): Promise<OneBitPage> {
  const { data, info } = await sharp(path).toColourspace('b-w').raw().toBuffer({ resolveWithObject: true });
  return packPixels(data, info);
}

async function preview(path: string, options: Partial<typeof plain> | { headerLine: HeaderWords }) {
  const folder = join(workspace.folder, `preview-${counter++}`);
  mkdirSync(folder);
  const result = await workspace.documents.preview(path, folder, { ...plain, ...options });
  return { ...result, images: await Promise.all(result.pages.map((page) => readPng(page.pngPath))) };
}

/** The part of the raster on which the page lies. */
function cropped(page: OneBitPage, left: number, width: number): OneBitPage {
  const part = blankPage(width, page.height);
  for (let y = 0; y < page.height; y++) {
    for (let x = 0; x < width; x++) {
      if (pixelAt(page, left + x, y)) part.rows[y * part.stride + (x >> 3)]! |= 0x80 >> (x & 7);
    }
  }
  return part;
}

/** The page turned clockwise. */
function turned(page: OneBitPage, angle: number): OneBitPage {
  const across = angle % 180 !== 0;
  const result = across ? blankPage(page.height, page.width) : blankPage(page.width, page.height);
  for (let y = 0; y < page.height; y++) {
    for (let x = 0; x < page.width; x++) {
      if (pixelAt(page, x, y) === 0) continue;
      const [right, down] = [page.width - 1 - x, page.height - 1 - y];
      const [tx, ty] =
        angle === 90 ? [down, x] : angle === 180 ? [right, down] : angle === 270 ? [y, right] : [x, y];
      result.rows[ty * result.stride + (tx >> 3)]! |= 0x80 >> (tx & 7);
    }
  }
  return result;
}

const text = Array.from(
  { length: 58 },
  (_, i) => `Line ${i}: Zwölf Boxkämpfer jagen Viktor, 0123456789 (漢字)`,
).join('\n');

describe.skipIf(poppler.skip)(`the raster against poppler's${poppler.reason}`, () => {
  /** `upright` is what poppler draws, turned afterwards: its scaling swaps the axes of turned pages. */
  async function expectAlike(
    path: string,
    widthPt: number,
    heightPt: number,
    upright = path,
    angle = 0,
  ): Promise<void> {
    const { width, height, left } = placePage(widthPt, heightPt);
    const { images } = await preview(path, {});
    const [x, y] = angle % 180 === 0 ? [width, height] : [height, width];
    const args = ['-gray', '-f', '1', '-l', '1', '-scale-to-x', String(x), '-scale-to-y', String(y), upright];
    const theirs = turned(fromNetpbm(referee('pdftoppm', args)), angle);
    const ours = cropped(images[0]!, left, width);
    expect([ours.width, ours.height]).toEqual([theirs.width, theirs.height]);
    expect(unmatchedInk(ours, theirs), 'extra ink').toBeLessThanOrEqual(0.001);
    expect(unmatchedInk(theirs, ours), 'missing ink').toBeLessThanOrEqual(0.001);
  }

  it('is alike for a page of text', async () => {
    const { path } = await workspace.prepare([workspace.file('text.txt', text)], 'text.pdf');
    await expectAlike(path, 595.28, 841.89);
  });

  it.each([
    ['A4', 595.28, 841.89],
    ['Letter', 612, 792],
    ['A4 across', 841.89, 595.28],
    ['200 x 100 points', 200, 100],
    ['a long receipt', 612, 2000],
    ['a poster', 2400, 3200],
  ])('is alike for a drawing on %s', async (name, widthPt, heightPt) => {
    const { path } = await workspace.prepare(
      [workspace.file(`${name}.pdf`, drawingPdf(widthPt, heightPt))],
      'drawing.pdf',
    );
    await expectAlike(path, widthPt, heightPt);
  });

  it.each([1, 3] as const)(
    'is alike for a scanned page of %i channels, which is decoded natively',
    async (channels) => {
      const drawn = workspace.file('drawn.pdf', drawingPdf(595.28, 841.89));
      const clean = sharp((await pagePicture(drawn, 1, 2480)) ?? undefined);
      const jpeg = await clean
        .toColourspace(channels === 1 ? 'b-w' : 'srgb')
        .jpeg({ quality: 92 })
        .withMetadata({ density: 300 })
        .toBuffer();
      const { path } = await workspace.prepare([workspace.file(`scan-${channels}.jpg`, jpeg)], 'scan.pdf');
      const placed = referee('pdfinfo', [path]).toString();
      const [, widthPt, heightPt] = /Page size: +([\d.]+) x ([\d.]+)/.exec(placed)!.map(Number);
      await expectAlike(path, widthPt!, heightPt!);
    },
  );

  it.each([90, 180, 270])('is alike for a page turned by %i degrees', async (angle) => {
    const upright = workspace.file('upright.pdf', drawingPdf(500, 700));
    const output = join(workspace.folder, `turned-${angle}.pdf`);
    referee('qpdf', [upright, output, `--rotate=${angle}`]);
    const [widthPt, heightPt] = angle === 180 ? [500, 700] : [700, 500];
    await expectAlike(output, widthPt, heightPt, upright, angle);
  });
});

describe('the preview', () => {
  it('is 1728 wide, keeps A4 on one sheet and names its files by page', async () => {
    const { path } = await workspace.prepare([workspace.file('two.txt', 'one\ftwo')], 'two.pdf');
    const seen: number[] = [];
    const folder = join(workspace.folder, 'named');
    mkdirSync(folder);
    const onPage = (page: { number: number }): number => seen.push(page.number);
    const { pages, seconds, notes } = await workspace.documents.preview(path, folder, { ...plain, onPage });
    expect(pages.map((page) => [page.number, page.widthPx, page.heightLines])).toEqual([
      [1, 1728, paperLines],
      [2, 1728, paperLines],
    ]);
    expect(pages[1]!.pngPath).toBe(join(folder, 'page-0002.png'));
    expect(seen).toEqual([1, 2]);
    expect(seconds).toBeGreaterThan(30);
    expect(notes).toEqual([]);
    expect(readFileSync(pages[0]!.pngPath)[24]).toBe(1);
  });

  it('draws the header line in the free margin without moving the page', async () => {
    const { path } = await workspace.prepare([workspace.file('header.txt', text)], 'header.pdf');
    const [bare, headed] = [
      await preview(path, {}),
      await preview(path, { headerLine: header('FROM +49 30 1234567 漢') }),
    ];
    const below = (page: OneBitPage): OneBitPage => ({
      ...page,
      height: page.height - 60,
      rows: page.rows.subarray(60 * page.stride),
    });
    expect(firstDifference(below(bare.images[0]!), below(headed.images[0]!))).toBeNull();
    expect(headed.images[0]!.rows.subarray(0, 44 * 216).some((byte) => byte !== 0)).toBe(true);
  });

  it('spreads the parts of the header line over the page, with the number of each page at its end', async () => {
    const { path } = await workspace.prepare([workspace.file('three.txt', 'one\ftwo\fthree')], 'three.pdf');
    const parts = ['2026-03-01 06:00', 'Example Clinic +1 202 555 0100 -> +1 202 555 0123'];
    const [first, second, third] = (await preview(path, { headerLine: { parts, isNumbered: true } })).images;
    const inkIn = (page: OneBitPage, from: number, to: number): string => {
      const columns = Array.from({ length: to - from }, (_, x) => from + x);
      return columns.map((x) => Array.from({ length: 44 }, (_, y) => pixelAt(page, x, y)).join('')).join(' ');
    };
    const hasInk = (page: OneBitPage, from: number, to: number) => inkIn(page, from, to).includes('1');
    // The date, a gap, the sender and recipient, a gap, the page.
    expect([hasInk(first!, 60, 300), hasInk(first!, 400, 1500), hasInk(first!, 1600, 1668)]).toEqual([
      true,
      true,
      true,
    ]);
    expect([hasInk(first!, 0, 60), hasInk(first!, 1668, 1728)]).toEqual([false, false]);
    expect(inkIn(second!, 0, 1500)).toBe(inkIn(first!, 0, 1500));
    const numbers = [first!, second!, third!].map((page) => inkIn(page, 1560, 1728));
    expect(new Set(numbers).size).toBe(3);
  });

  it('sets a page lower when it has ink where the header line goes', async () => {
    const pdf = workspace.file('full.pdf', drawingPdf(300, 420));
    const { images, pages } = await preview(pdf, {});
    const headed = await preview(pdf, { headerLine: header('H'.repeat(200)) });
    expect(headed.pages[0]!.heightLines).toBe(pages[0]!.heightLines);
    expect(firstDifference(images[0]!, headed.images[0]!)).not.toBeNull();
  });

  it('dithers a photograph, says so, and makes it clean on request', async () => {
    const pdf = workspace.file('photo.pdf', photoPdf());
    const dithered = await preview(pdf, {});
    const clean = await preview(pdf, { cleanGreys: true });
    expect(dithered.notes.map((note) => note.kind)).toEqual(['much_grey']);
    expect(clean.notes).toEqual([]);
    expect(dithered.pages[0]!.encodedBytes).toBeGreaterThan(clean.pages[0]!.encodedBytes * 4);
    expect(dithered.seconds).toBeGreaterThan(clean.seconds);
  });

  it('says when print is tiny and when a page is longer than a sheet', async () => {
    const tiny = await preview(workspace.file('poster.pdf', drawingPdf(2400, 3200)), {});
    expect(tiny.notes.map((note) => note.kind)).toEqual([]);
    const long = await preview(workspace.file('long.pdf', drawingPdf(100, 1000)), {});
    expect(long.notes.map((note) => note.kind)).toContain('long_page');
    expect(long.notes.map((note) => note.kind)).toContain('tiny_print');
  });
});

describe.skipIf(libtiff.skip)(`the TIFF-F file for the telephone engine${libtiff.reason}`, () => {
  it.each(['fine', 'standard'] as const)(
    'has the tags the engine needs in %s resolution',
    async (resolution) => {
      const { path } = await workspace.prepare([workspace.file('fax.txt', 'one\ftwo\fthree')], 'fax.pdf');
      const output = join(workspace.folder, `${resolution}.tif`);
      const options = { headerLine: header('FROM'), cleanGreys: false, resolution };
      expect(await workspace.documents.rasterToTiff(path, output, options)).toEqual({ pages: 3 });
      const info = referee('tiffinfo', ['-2', output]).toString();
      const lines = resolution === 'fine' ? 2286 : 1143;
      for (const line of [
        `Image Width: 1728 Image Length: ${lines}`,
        `Resolution: 204, ${resolution === 'fine' ? 196 : 98} pixels/inch`,
        'Bits/Sample: 1',
        'Compression Scheme: CCITT Group 4',
        'Photometric Interpretation: min-is-white',
        'FillOrder: msb-to-lsb',
        'Samples/Pixel: 1',
        `Rows/Strip: ${lines}`,
        'Page Number: 2-3',
      ]) {
        expect(info).toContain(line);
      }
      referee('tiffcp', ['-c', 'none', output, join(workspace.folder, 'copy.tif')]);
    },
  );

  it('holds the pixels of the preview', async () => {
    const pdf = workspace.file('same.pdf', photoPdf());
    const { images } = await preview(pdf, { headerLine: header('FROM') });
    const output = join(workspace.folder, 'same.tif');
    await workspace.documents.rasterToTiff(pdf, output, {
      headerLine: header('FROM'),
      cleanGreys: false,
      resolution: 'fine',
    });
    expect(firstDifference(await readPng(output), images[0]!)).toBeNull();
  });
});

async function pagePicture(pdf: string, page: number, widthPx: number): Promise<Uint8Array | null> {
  return (await workspace.documents.pagePictures(pdf, [page], widthPx))[0] ?? null;
}

describe('the picture of a page', () => {
  it('has the requested width and the proportions of the page', async () => {
    const pdf = workspace.file('picture.pdf', drawingPdf(400, 600));
    const picture = await sharp((await pagePicture(pdf, 1, 333)) ?? undefined).metadata();
    expect([picture.width, picture.height]).toEqual([333, 500]);
    await expect(pagePicture(pdf, 2, 333)).rejects.toMatchObject({ code: 'invalid' });
  });

  it('is drawn with others at once, and is refused for its own page alone', async () => {
    const pdf = workspace.file('pictures.pdf', drawingPdf(400, 600));
    const [first, missing] = await workspace.documents.pagePictures(pdf, [1, 2], 100);
    expect(first?.slice(1, 4).toString()).toBe('80,78,71');
    expect(missing).toBeNull();
    await expect(workspace.documents.pagePictures(pdf, [2, 1], 100)).rejects.toMatchObject({
      code: 'invalid',
    });
  });
});
