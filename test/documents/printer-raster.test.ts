import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import type { PrinterRaster } from '../../server/documents/documents.ts';
import { createForwardReader } from '../../server/documents/print-raster/forward-reader.ts';
import { packRows } from '../../server/documents/print-raster/pack-rows.ts';
import { unpackRows } from '../../server/documents/print-raster/unpack-rows.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import { drawingPdf } from '../fixtures/make-drawings.ts';
import { readPwg } from '../fixtures/print-raster.ts';
import { referee, unlessMissing } from '../fixtures/referees.ts';
import { seededRandom } from '../fixtures/seeded-random.ts';
import { openWorkspace } from './workspace.ts';

/** Reads raster with the library of CUPS. */
const RASTER_TO_PDF = '/usr/lib/cups/filter/rastertopdf';
const cups = unlessMissing(RASTER_TO_PDF, 'pdfimages');

const workspace = openWorkspace();
afterAll(async () => await workspace.close());

const PER_INCH = 144;
/** Hundredths of a millimeter. */
const points = (length: number) => Math.round((length * 2_540) / 72);
const sheet = (name: string, width: number, height: number) => ({
  name,
  width: points(width),
  height: points(height),
});
const printer = (given: Partial<PrinterRaster> = {}): PrinterRaster => ({
  perInch: PER_INCH,
  tones: 'grey',
  sheets: [sheet('om_test_1x1mm', 400, 600)],
  margins: { left: 0, right: 0, top: 0, bottom: 0 },
  ...given,
});

async function drawParts(pdf: string, raster: PrinterRaster) {
  const parts: Uint8Array[] = [];
  const sheets = new Set<string>();
  for (let fromPage: number | null = 1; fromPage !== null; ) {
    const drawn = await workspace.documents.printRaster(pdf, raster, { fromPage });
    parts.push(drawn.part);
    sheets.add(drawn.sheet);
    fromPage = drawn.nextPage;
  }
  return { parts, sheets: [...sheets] };
}

async function draw(pdf: string, raster: PrinterRaster) {
  const { parts, sheets } = await drawParts(pdf, raster);
  return { sheets, pages: readPwg(Buffer.concat(parts)) };
}

/** The page as it is drawn for the screen, with as many pixels. */
async function picture(pdf: string, widthPx: number, turn = 0): Promise<Buffer> {
  const [png] = await workspace.documents.pagePictures(pdf, [1], widthPx);
  return await sharp(png ?? undefined)
    .rotate(turn)
    .toColourspace('b-w')
    .raw()
    .toBuffer();
}

const inkOf = (pixels: Buffer) => pixels.reduce((count, tone) => count + (tone < 128 ? 1 : 0), 0);

describe('the pages of a fax for a printer that takes pixels', () => {
  const drawing = workspace.file('drawing.pdf', drawingPdf(400, 600));

  it('rule (print-rules): are those that the screen shows', async () => {
    const { pages, sheets } = await draw(drawing, printer());
    expect(sheets).toEqual(['om_test_1x1mm']);
    expect(pages).toMatchObject([{ width: 800, height: 1_200, perInch: PER_INCH }]);
    const shown = await picture(drawing, 800);
    expect(pages[0]?.pixels.equals(shown)).toBe(true);
    expect(inkOf(shown)).toBeGreaterThan(1_000);
  });

  it('are black and white where the printer takes no grey', async () => {
    const [black] = (await draw(drawing, printer({ tones: 'black bits' }))).pages;
    const shown = await picture(drawing, 800);
    expect(new Set(black?.pixels)).toEqual(new Set([0, 255]));
    const wrong = black!.pixels.filter((tone, at) => tone === 0 && shown[at]! > 200);
    expect([wrong.length, inkOf(black!.pixels) / inkOf(shown)]).toEqual([0, expect.closeTo(1, 1)]);
  });

  it.skipIf(cups.skip).each(['grey', 'black bits'] as const)(
    `have the same %s pixels for the reader of CUPS${cups.reason}`,
    async (kind) => {
      const { parts } = await drawParts(drawing, printer({ tones: kind }));
      const file = workspace.file(`${kind}.pwg`, Buffer.concat(parts));
      const pdf = workspace.file(
        `${kind}.pdf`,
        referee(RASTER_TO_PDF, ['1', 'user', 'title', '1', '', file]),
      );
      const root = join(workspace.folder, `read-${kind}`);
      referee('pdfimages', ['-png', pdf, root]);
      const read = await sharp(`${root}-000.png`).toColourspace('b-w').raw().toBuffer();
      const [page] = readPwg(Buffer.concat(parts));
      // It calibrates the tones for the PDF: each of ours becomes one of its own, in the same order.
      const toneOf = new Map<number, number>();
      for (const [at, tone] of page!.pixels.entries()) toneOf.set(tone, read[at] ?? -1);
      expect(page!.pixels.every((tone, at) => toneOf.get(tone) === read[at])).toBe(true);
      const tones = [...toneOf].toSorted(([one], [other]) => one - other).map(([, tone]) => tone);
      expect(tones).toEqual(tones.toSorted((one, other) => one - other));
      expect(new Set(tones).size).toBeGreaterThan(kind === 'grey' ? 50 : 1);
    },
  );

  it('are turned where the sheet lies the other way', async () => {
    const wide = workspace.file('wide.pdf', drawingPdf(600, 400));
    const [page] = (await draw(wide, printer())).pages;
    expect([page?.width, page?.height]).toEqual([800, 1_200]);
    const turned = await picture(wide, 1_200, 90);
    const unlike = page!.pixels.filter((tone, at) => Math.abs(tone - turned[at]!) > 128);
    // The edges of lines are rounded to the other side.
    expect(unlike.length / inkOf(turned)).toBeLessThan(0.1);
  });

  it('are made smaller where the printer cannot print the edges, and keep their size on larger sheets', async () => {
    const margin = 10;
    const margins = {
      left: points(margin),
      right: points(margin),
      top: points(margin),
      bottom: points(margin),
    };
    const [inside] = (await draw(drawing, printer({ margins }))).pages;
    const edge = (margin * PER_INCH) / 72;
    const isAtEdge = (at: number) =>
      at % 800 < edge - 1 || at % 800 > 800 - edge || at < 800 * (edge - 1) || at >= 800 * (1_200 - edge + 1);
    expect(inside?.pixels.some((tone, at) => tone < 255 && isAtEdge(at))).toBe(false);
    expect(inkOf(inside!.pixels)).toBeGreaterThan(1_000);
    const [larger] = (await draw(drawing, printer({ sheets: [sheet('om_large_1x1mm', 500, 700)] }))).pages;
    expect(inkOf(larger!.pixels)).toBe(inkOf(await picture(drawing, 800)));
  });

  it.each([
    ['the one of its size', [400, 600], 'om_middle_1x1mm'],
    ['a little smaller one', [410, 610], 'om_middle_1x1mm'],
    ['one of the same width for a long page', [400, 3_000], 'om_middle_1x1mm'],
    ['one for a page that lies', [280, 190], 'om_small_1x1mm'],
  ] as const)('are printed on %s of the sheets', async (_, [width, height], name) => {
    const sheets = [
      sheet('om_large_1x1mm', 600, 900),
      sheet('om_small_1x1mm', 200, 300),
      sheet('om_middle_1x1mm', 400, 600),
    ];
    const pdf = workspace.file(`${width}.pdf`, drawingPdf(width, height));
    expect((await draw(pdf, printer({ sheets, perInch: 72 }))).sheets).toEqual([name]);
  });

  it('come in parts of a few megabytes, however many they are', async () => {
    const long = workspace.file('long.pdf', textPdf(200));
    const a4 = { name: 'iso_a4_210x297mm', width: 21_000, height: 29_700 };
    const { parts } = await drawParts(long, printer({ perInch: 300, sheets: [a4] }));
    const headers = Buffer.concat(parts)
      .toString('latin1')
      .match(/PwgRaster\0/gu);
    expect(headers?.length).toBe(200);
    expect(parts.length).toBeGreaterThan(3);
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThan(4 * 1024 * 1024);
  }, 120_000);

  it('are refused when a page cannot be drawn', async () => {
    const broken = workspace.file('broken.pdf', textPdf(3, { brokenPage: 2 }));
    await expect(draw(broken, printer())).rejects.toMatchObject({ code: 'invalid' });
  });
});

it('rows of every kind are the same after they were packed', () => {
  const random = seededRandom(11);
  for (let round = 0; round < 300; round += 1) {
    const [lineBytes, height] = [1 + Math.floor(random() * 700), 1 + Math.floor(random() * 600)];
    const stride = lineBytes + Math.floor(random() * 9);
    const [tones, staying] = [1 + Math.floor(random() * 4), random()];
    const rows = new Uint8Array(stride * height);
    let tone = 0;
    for (let at = 0; at < rows.length; at += 1) {
      if (random() > staying) tone = Math.floor(random() * tones) * 85;
      rows[at] = random() < 0.5 && at >= stride ? rows[at - stride]! : tone;
    }
    const packed = packRows({ rows, stride, lineBytes, height });
    const perInch = { x: 72, y: 72 };
    const page = {
      width: lineBytes,
      height,
      perInch,
      tones: 'grey',
      unitBytes: 1,
      lineBytes,
    } as const;
    const unpacked = Buffer.alloc(lineBytes * height);
    const reader = createForwardReader([packed]);
    unpackRows(reader, page, (row, y, times) => {
      for (let each = y; each < y + times; each += 1) unpacked.set(row, each * lineBytes);
    });
    expect(reader.isAtEnd).toBe(true);
    for (let y = 0; y < height; y += 1) {
      const row = unpacked.subarray(y * lineBytes, (y + 1) * lineBytes);
      expect(row.equals(rows.subarray(y * stride, y * stride + lineBytes))).toBe(true);
    }
  }
});
