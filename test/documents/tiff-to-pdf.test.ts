import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { encodeT6 } from '../../server/documents/t4/encode-t6.ts';
import { firstDifference, fromNetpbm, randomPage } from '../fixtures/bitmaps.ts';
import { makeTiff, plainTags, without } from '../fixtures/make-tiffs.ts';
import { referee, unlessMissing } from '../fixtures/referees.ts';
import { openWorkspace } from './workspace.ts';

const workspace = openWorkspace();
afterAll(async () => await workspace.close());

const tools = unlessMissing('tiffcp', 'pdfimages', 'qpdf');
const pages = [randomPage(1728, 300, 0.1, 1), randomPage(1728, 211, 0.02, 2), randomPage(1001, 150, 0.2, 3)];
const plain = makeTiff(pages.map((page) => ({ tags: plainTags(page), data: page.rows })));
let counter = 0;

/** The pictures of a PDF, as pdfimages takes them out. */
function picturesOf(pdf: string) {
  const prefix = `pictures-${counter++}`;
  referee('pdfimages', [pdf, join(workspace.folder, prefix)]);
  const names = readdirSync(workspace.folder).filter((name) => name.startsWith(`${prefix}-`));
  return names.sort().map((name) => fromNetpbm(readFileSync(join(workspace.folder, name))));
}

async function expectPixelEqual(tiff: string): Promise<void> {
  const prepared = await workspace.prepare([tiff]);
  expect(prepared.pages).toBe(pages.length);
  expect(prepared.sourceMediaType).toBe('image/tiff');
  const list = referee('pdfimages', ['-list', prepared.path]).toString().trim().split('\n').slice(2);
  for (const line of list) expect(line).toMatch(/ gray +1 +1 +ccitt /);
  const pictures = picturesOf(prepared.path);
  for (const [i, page] of pages.entries())
    expect(firstDifference(pictures[i]!, page), `page ${i + 1}`).toBeNull();
  referee('qpdf', ['--check', prepared.path]);
}

describe.skipIf(tools.skip)(`black and white TIFF to PDF${tools.reason}`, () => {
  const source = workspace.file('plain.tif', plain);

  it.each([
    ['T.6 in one strip', ['-c', 'g4', '-r', '5000']],
    ['T.6, lowest bit first', ['-c', 'g4', '-r', '5000', '-f', 'lsb2msb']],
    ['T.6 in strips of 100 rows', ['-c', 'g4', '-r', '100']],
    ['T.6, big-endian', ['-c', 'g4', '-B', '-r', '5000']],
    ['T.6 in tiles', ['-c', 'g4', '-t', '-w', '256', '-l', '128']],
    ['T.4, one-dimensional', ['-c', 'g3:1d', '-r', '5000']],
    ['T.4, two-dimensional with fill bits', ['-c', 'g3:2d:fill', '-r', '5000']],
    ['T.4, two-dimensional, lowest bit first', ['-c', 'g3:2d', '-r', '5000', '-f', 'lsb2msb']],
    ['T.4 in strips of 64 rows', ['-c', 'g3', '-r', '64']],
    ['LZW', ['-c', 'lzw']],
    ['Deflate', ['-c', 'zip']],
    ['PackBits', ['-c', 'packbits']],
    ['no compression', ['-c', 'none', '-r', '40']],
  ])('keeps every pixel of %s', async (name, args) => {
    const tiff = join(workspace.folder, `${name}.tif`);
    referee('tiffcp', [...args, source, tiff]);
    await expectPixelEqual(tiff);
  });

  it('keeps every pixel when min is black', async () => {
    const inverted = pages.map((page) => ({
      tags: { ...plainTags(page), 262: 1 },
      data: page.rows.map((byte) => ~byte),
    }));
    await expectPixelEqual(workspace.file('black.tif', makeTiff(inverted)));
    const coded = pages.map((page, i) => ({
      tags: { ...plainTags(page), 259: 4, 262: 1 },
      data: encodeT6({ ...page, rows: inverted[i]!.data }),
    }));
    await expectPixelEqual(workspace.file('black-t6.tif', makeTiff(coded)));
  });

  it('takes a missing BitsPerSample as one bit', async () => {
    const parts = pages.map((page) => ({ tags: without(plainTags(page), 258, 277), data: page.rows }));
    await expectPixelEqual(workspace.file('no-bits.tif', makeTiff(parts)));
  });

  it('gives pages their size from the tags, in inches and centimetres and for standard resolution', async () => {
    const page = randomPage(1728, 1143, 0.01, 7);
    const coded = { ...plainTags(page), 259: 4 };
    const data = encodeT6(page);
    const tiff = makeTiff([
      { tags: { ...coded, 283: 98 }, data },
      { tags: { ...coded, 282: 80, 283: 39, 296: 3 }, data },
      { tags: without(coded, 282, 283, 296), data },
    ]);
    const { path } = await workspace.prepare([workspace.file('sizes.tif', tiff)]);
    const info = referee('pdfinfo', ['-f', '1', '-l', '3', path]).toString();
    const sizes = [...info.matchAll(/size: +([\d.]+) x ([\d.]+)/g)].map((match) => [
      Number(match[1]),
      Number(match[2]),
    ]);
    expect(sizes).toEqual([
      [609.882, 839.755],
      [612.284, 830.769],
      [609.882, 839.755],
    ]);
  });

  it('turns a picture by its orientation', async () => {
    const page = randomPage(400, 100, 0.1, 8);
    const tiff = makeTiff([{ tags: { ...plainTags(page), 274: 6 }, data: page.rows }]);
    const { path } = await workspace.prepare([workspace.file('turned.tif', tiff)]);
    const shown = fromNetpbm(referee('pdftoppm', ['-r', '204', '-gray', path]));
    expect(shown.height).toBeGreaterThan(shown.width);
  });

  it('keeps a grey TIFF grey', async () => {
    const pixels = Buffer.from(Array.from({ length: 200 * 300 }, (_, i) => (i * 7) & 255));
    const tiff = await sharp(pixels, { raw: { width: 200, height: 300, channels: 1 } })
      .toColourspace('b-w')
      .tiff({ compression: 'lzw', xres: 4, yres: 4 })
      .toBuffer();
    const { path } = await workspace.prepare([workspace.file('grey.tif', tiff)]);
    expect(referee('pdfimages', ['-list', path]).toString()).toMatch(/200 +300 +gray +1 +8/);
  });
});

describe('broken TIFF', () => {
  const page = pages[0]!;
  const good = makeTiff([{ tags: { ...plainTags(page), 259: 4 }, data: encodeT6(page) }]);
  const loop = makeTiff(
    [1, 2].map(() => ({ tags: plainTags(page), data: page.rows })),
    { next: 8 + page.rows.length },
  );

  it.each([
    ['cut in its data', plain.subarray(0, 9000)],
    ['cut in its directory', good.subarray(0, good.length - 40)],
    ['an empty directory', Buffer.from([0x49, 0x49, 42, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0])],
    ['no directory', Buffer.from([0x49, 0x49, 42, 0, 0, 0, 0, 0])],
    ['directories in a loop', loop],
    ['broken T.6 data', makeTiff([{ tags: { ...plainTags(page), 259: 4 }, data: new Uint8Array(4000) }])],
    [
      'a strip outside the file',
      makeTiff([{ tags: { ...without(plainTags(page), 279), 273: 0, 278: 9 }, data: page.rows.subarray(9) }]),
    ],
  ])('with %s is refused in a sentence', async (name, bytes) => {
    const refusal = await workspace.refusal([workspace.file(`${name}.tif`, bytes)]);
    expect([refusal.code, refusal.publicMessage]).toEqual(['invalid', 'The TIFF is damaged or incomplete.']);
  });

  it('with a picture of a thousand million pixels is refused as too large', async () => {
    const tiff = makeTiff([{ tags: { ...plainTags(page), 256: 32_000, 257: 32_000 }, data: page.rows }]);
    expect((await workspace.refusal([workspace.file('huge.tif', tiff)])).code).toBe('too_large');
  });
});
