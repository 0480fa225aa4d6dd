import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { threshold } from '../../server/documents/raster/threshold.ts';
import { decodeT6 } from '../../server/documents/t4/decode.ts';
import { encodeT6 } from '../../server/documents/t4/encode-t6.ts';
import { blankPage, type OneBitPage } from '../../server/documents/t4/one-bit-page.ts';
import { pixelAt, randomPage } from '../fixtures/bitmaps.ts';
import { drawingPdf, photoPdf } from '../fixtures/make-drawings.ts';
import { plainT6 } from '../fixtures/plain-t6.ts';
import { seededRandom } from '../fixtures/seeded-random.ts';
import { openWorkspace } from './workspace.ts';

const workspace = openWorkspace();
afterAll(async () => await workspace.close());

const widths = [...Array.from({ length: 40 }, (_, i) => i + 1), 63, 64, 65, 1728, 2432, 2560, 2623, 5300];

function drawn(width: number, height: number, isBlack: (x: number, y: number) => boolean): OneBitPage {
  const page = blankPage(width, height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      if (isBlack(x, y)) page.rows[y * page.stride + (x >> 3)]! |= 0x80 >> (x & 7);
  return page;
}

/** Pages at the limits of the coding. */
const worst: Record<string, (x: number, y: number) => boolean> = {
  'white rows': () => false,
  'black rows': () => true,
  'black and white rows in turn': (_x, y) => y % 2 === 1,
  'a checkerboard': (x, y) => (x + y) % 2 === 1,
  'a checkerboard of pairs': (x, y) => ((x >> 1) + y) % 2 === 1,
  columns: (x) => x % 2 === 0,
  'columns below white rows': (x, y) => y % 3 === 2 && x % 2 === 0,
  'single pixels': (x, y) => x % 9 === (y * 4) % 9 && y % 2 === 1,
  'one pixel a row, ever farther to the right': (x, y) => x === y * 5,
  'edges that wander by up to four pixels': (x, y) => x % 23 < 11 + ((y * y) % 5) && x % 23 > (y * 3) % 5,
};

function expectPlain(page: OneBitPage, name: string): void {
  expect(Buffer.compare(encodeT6(page), plainT6(page)), `${name}, ${page.width} wide`).toBe(0);
}

describe('T.6 data', () => {
  it('is that of the plain algorithm for random rows of every width', () => {
    for (const [i, width] of widths.entries())
      for (const [k, noise] of [0, 0.01, 0.05, 0.3, 1].entries())
        expectPlain(randomPage(width, 12, noise, i * 10 + k), `noise of ${noise}`);
  });

  it.each(Object.entries(worst))('is that of the plain algorithm for %s', (name, isBlack) => {
    for (const width of widths) expectPlain(drawn(width, 12, isBlack), name);
  });

  it('is that of the plain algorithm for pages of text, drawings and photographs', async () => {
    const lines = Array.from({ length: 58 }, (_, i) => `${i} Zwölf Boxkämpfer jagen Viktor, 漢字`).join('\n');
    const { path: text } = await workspace.prepare([workspace.file('text.txt', lines)], 'text.pdf');
    const drawing = workspace.file('drawing.pdf', drawingPdf(595.28, 841.89));
    const photo = workspace.file('photo.pdf', photoPdf());
    for (const pdf of [text, drawing, photo]) {
      const output = join(workspace.folder, 'page.tif');
      const options = { headerLine: null, cleanGreys: false, resolution: 'fine' } as const;
      await workspace.documents.rasterToTiff(pdf, output, options);
      const { height, data } = firstStrip(readFileSync(output));
      const page = decodeT6(data, 1728, height)!;
      expect(Buffer.compare(data, encodeT6(page)), pdf).toBe(0);
      const first = 300;
      const rows = page.rows.subarray(first * page.stride, (first + 400) * page.stride);
      expectPlain({ ...page, height: 400, rows }, pdf);
    }
  });
});

/** The data of the first page of a TIFF-F file. */
function firstStrip(tiff: Buffer): { height: number; data: Buffer } {
  const at = tiff.readUInt32LE(4);
  const tags = new Map<number, number>();
  for (let i = 0; i < tiff.readUInt16LE(at); i++) {
    const entry = at + 2 + i * 12;
    tags.set(tiff.readUInt16LE(entry), tiff.readUInt32LE(entry + 8));
  }
  const start = tags.get(273)!;
  return { height: tags.get(257)!, data: tiff.subarray(start, start + tags.get(279)!) };
}

describe('the pixels of a page', () => {
  it('are black exactly where they are darker than half of the scale', () => {
    const random = seededRandom(3);
    for (const width of [8, 16, 24, 32, 40, 72, 1728]) {
      for (const white of [0, 0.5, 0.97]) {
        const height = 9;
        const pixels = Uint8Array.from({ length: width * height }, () =>
          random() < white ? 255 : Math.floor(random() * 256),
        );
        const page = threshold({ width, height, pixels });
        const wrong = pixels.findIndex(
          (level, i) => pixelAt(page, i % width, Math.floor(i / width)) !== (level < 128 ? 1 : 0),
        );
        expect(wrong, `${width} wide`).toBe(-1);
      }
    }
  });

  it('are the same when they do not begin on a word of the memory', () => {
    const random = seededRandom(4);
    const bytes = Uint8Array.from({ length: 72 * 5 + 3 }, () => random() * 256);
    for (const offset of [0, 1, 2, 3]) {
      const pixels = bytes.subarray(offset, offset + 72 * 5);
      const expected = threshold({ width: 72, height: 5, pixels: pixels.slice() });
      expect(threshold({ width: 72, height: 5, pixels })).toEqual(expected);
    }
  });
});
