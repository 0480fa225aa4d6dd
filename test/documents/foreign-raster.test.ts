import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PrintRaster } from '../../server/documents/print-raster/raster-pages.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import { drawingPdf, photoPdf } from '../fixtures/make-drawings.ts';
import { referee, unlessMissing } from '../fixtures/referees.ts';
import { openWorkspace } from './workspace.ts';

const tools = unlessMissing('gs', 'pdfimages');
const PER_INCH = 150;
const HALF = 128;

const workspace = openWorkspace();
afterAll(async () => await workspace.close());

/** Devices of Ghostscript, with the numbers of their color spaces and the bits of a color. */
const RASTERS: [name: string, format: PrintRaster, device: string, space: number, bits: number][] = [
  ['PWG raster in grey', 'image/pwg-raster', 'pwgraster', 18, 8],
  ['PWG raster in black', 'image/pwg-raster', 'pwgraster', 3, 8],
  ['PWG raster in black bits', 'image/pwg-raster', 'pwgraster', 3, 1],
  ['PWG raster in grey bits', 'image/pwg-raster', 'pwgraster', 18, 1],
  ['PWG raster in sRGB', 'image/pwg-raster', 'pwgraster', 19, 8],
  ['PWG raster in CMYK', 'image/pwg-raster', 'pwgraster', 6, 8],
  ['Apple raster in grey', 'image/urf', 'appleraster', 18, 8],
  ['Apple raster in sRGB', 'image/urf', 'appleraster', 19, 8],
  ['URF in grey', 'image/urf', 'urf', 18, 8],
];

interface Picture {
  readonly width: number;
  readonly height: number;
  readonly tones: Uint8Array;
}

const draw = (device: string, output: string, pdf: string, options: readonly string[] = []) =>
  referee('gs', [
    '-q',
    '-dBATCH',
    '-dNOPAUSE',
    `-r${PER_INCH}`,
    `-sDEVICE=${device}`,
    ...options,
    `-sOutputFile=${output}`,
    pdf,
  ]);

/** The first page as Ghostscript draws it in grey. */
function drawnGrey(pdf: string): Picture {
  const file = join(workspace.folder, 'page.pgm');
  draw('pgmraw', file, pdf, ['-dLastPage=1']);
  const bytes = readFileSync(file);
  const [header = '', width, height] =
    /^P5\n(?:#[^\n]*\n)?(\d+) (\d+)\n255\n/u.exec(bytes.toString('latin1', 0, 200)) ?? [];
  return { width: Number(width), height: Number(height), tones: bytes.subarray(header.length) };
}

/** The same from the raster, by way of the document that is kept of it and another reader of PDF. */
async function keptPage(
  pdf: string,
  [, format, device, space, bits]: (typeof RASTERS)[number],
): Promise<Picture> {
  const [raster, kept] = [join(workspace.folder, 'raster'), join(workspace.folder, 'kept.pdf')];
  draw(device, raster, pdf, [`-dcupsColorSpace=${space}`, `-dcupsBitsPerColor=${bits}`]);
  const { pages } = await workspace.documents.preparePrinted({ path: raster }, kept, {
    format,
    maxBytes: 25 * 1024 * 1024,
  });
  expect(pages).toBe(1);
  const root = join(workspace.folder, 'kept');
  referee('pdfimages', ['-png', kept, root]);
  const { data, info } = await sharp(`${root}-000.png`)
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, tones: data };
}

/** Share of the dark pixels of one picture that have none of the other in themselves or beside them. */
function strayShare({ width, tones }: Picture, other: Picture): number {
  const isDark = (at: number) => (other.tones[at] ?? 255) < HALF;
  const isNear = (at: number) => isDark(at - 1) || isDark(at) || isDark(at + 1);
  let [dark, stray] = [0, 0];
  for (let at = 0; at < tones.length; at += 1) {
    if (tones[at]! >= HALF) continue;
    dark += 1;
    if (!isNear(at) && !isNear(at - width) && !isNear(at + width)) stray += 1;
  }
  return stray / dark;
}

const meanTone = ({ tones }: Picture) => tones.reduce((sum, tone) => sum + tone, 0) / tones.length;

/** Mean difference of squares of 10 pixels, in which a halftone is a tone. */
function toneDifference(one: Picture, other: Picture): number {
  const side = 10;
  const [columns, rows] = [Math.floor(one.width / side), Math.floor(one.height / side)];
  let sum = 0;
  for (let square = 0; square < columns * rows; square += 1) {
    const from = (square % columns) * side + Math.floor(square / columns) * side * one.width;
    let difference = 0;
    for (let i = 0; i < side * side; i += 1) {
      const at = from + (i % side) + Math.floor(i / side) * one.width;
      difference += one.tones[at]! - other.tones[at]!;
    }
    sum += Math.abs(difference) / (side * side);
  }
  return sum / (columns * rows);
}

describe.skipIf(tools.skip)(`pages that Ghostscript drew for a printer${tools.reason}`, () => {
  let originals: { pdf: string; reference: Picture }[];
  let photo: { pdf: string; reference: Picture };
  beforeAll(() => {
    const original = (name: string, content: Buffer) => {
      const pdf = workspace.file(name, content);
      return { pdf, reference: drawnGrey(pdf) };
    };
    originals = [original('text.pdf', textPdf(1)), original('drawing.pdf', drawingPdf(595, 842))];
    photo = original('photo.pdf', photoPdf());
  });

  it.each(RASTERS)('rule (printing): keep their pixels [%s]', async (...raster) => {
    for (const { pdf, reference } of originals) {
      const kept = await keptPage(pdf, raster);
      expect([kept.width, kept.height]).toEqual([reference.width, reference.height]);
      // Its devices round the places of letters in two ways.
      expect([strayShare(reference, kept), strayShare(kept, reference)]).toEqual([0, 0]);
      expect(Math.abs(meanTone(kept) - meanTone(reference))).toBeLessThan(1);
    }
    // Its own halftones are some tones lighter or darker.
    const [, , , , bits] = raster;
    const most = bits === 1 ? 10 : 0.5;
    expect(toneDifference(photo.reference, await keptPage(photo.pdf, raster))).toBeLessThan(most);
  });
});
