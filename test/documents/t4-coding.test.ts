import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { decodeRows, decodeT6, reverseBits } from '../../server/documents/t4/decode.ts';
import { encodeT4 } from '../../server/documents/t4/encode-t4.ts';
import { encodeT6 } from '../../server/documents/t4/encode-t6.ts';
import { blankPage, type OneBitPage } from '../../server/documents/t4/one-bit-page.ts';
import { firstDifference, randomPage } from '../fixtures/bitmaps.ts';
import { makeTiff, plainTags } from '../fixtures/make-tiffs.ts';
import { referee, unlessMissing } from '../fixtures/referees.ts';

const folder = mkdtempSync(join(tmpdir(), 'faxdesk-t4-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const libtiff = unlessMissing('tiffcp');
const widths = [1, 2, 7, 8, 9, 31, 32, 33, 63, 64, 65, 127, 500, 1728, 2432, 2559, 2560, 2561, 5300];
const bitmaps = widths.flatMap((width, i) =>
  [0, 0.02, 0.3, 1].map((noise, k) => randomPage(width, 12, noise, i * 10 + k)),
);

/** Lets libtiff unpack our data; the strip of what it writes is the picture. */
function unpackWithLibtiff(
  pages: OneBitPage[],
  compression: number,
  encode: (page: OneBitPage) => Uint8Array,
): OneBitPage[] {
  const tiff = makeTiff(
    pages.map((page) => ({ tags: { ...plainTags(page), 259: compression }, data: encode(page) })),
  );
  const input = join(folder, 'in.tif');
  const output = join(folder, 'out.tif');
  writeFileSync(input, tiff);
  referee('tiffcp', ['-c', 'none', '-r', '100000', input, output]);
  const out = readFileSync(output);
  let at = out.readUInt32LE(4);
  return pages.map((page) => {
    const tags = new Map<number, number>();
    const count = out.readUInt16LE(at);
    for (let i = 0; i < count; i++) {
      const entry = at + 2 + i * 12;
      const short = out.readUInt16LE(entry + 2) === 3;
      tags.set(out.readUInt16LE(entry), short ? out.readUInt16LE(entry + 8) : out.readUInt32LE(entry + 8));
    }
    at = out.readUInt32LE(at + 2 + count * 12);
    const start = tags.get(273)!;
    return { ...page, rows: out.subarray(start, start + page.rows.length) };
  });
}

function oneDimensional(page: OneBitPage): OneBitPage {
  const decoded = blankPage(page.width, page.height);
  const result = decodeRows(encodeT4(page), 't4-1d', decoded, 0, page.height);
  expect(result).toEqual({ rows: page.height, damaged: 0 });
  return decoded;
}

describe('coding of fax pages', () => {
  it('gives back every bitmap from its own T.6 data', () => {
    for (const page of bitmaps) {
      expect(
        firstDifference(decodeT6(encodeT6(page), page.width, page.height)!, page),
        `${page.width}`,
      ).toBeNull();
    }
  });

  it('gives back every bitmap from its own T.4 data', () => {
    for (const page of bitmaps)
      expect(firstDifference(oneDimensional(page), page), `${page.width}`).toBeNull();
  });

  it.skipIf(libtiff.skip)(`writes T.6 that libtiff reads alike for many widths${libtiff.reason}`, () => {
    const unpacked = unpackWithLibtiff(bitmaps, 4, encodeT6);
    for (const [i, page] of bitmaps.entries())
      expect(firstDifference(unpacked[i]!, page), `${page.width}`).toBeNull();
  });

  it.skipIf(libtiff.skip)(`writes T.4 that libtiff reads alike for many widths${libtiff.reason}`, () => {
    const unpacked = unpackWithLibtiff(bitmaps, 3, encodeT4);
    for (const [i, page] of bitmaps.entries())
      expect(firstDifference(unpacked[i]!, page), `${page.width}`).toBeNull();
  });

  it('does not take T.6 data that ends early or breaks', () => {
    const page = randomPage(1728, 100, 0.3, 5);
    const data = encodeT6(page);
    expect(decodeT6(data.subarray(0, data.length >> 1), 1728, 100)).toBeNull();
    expect(decodeT6(new Uint8Array(500), 1728, 100)).toBeNull();
  });

  it('goes on after a damaged T.4 row at the next end of line', () => {
    const page = randomPage(1728, 60, 0.05, 9);
    const data = encodeT4(page);
    data.fill(0xff, data.length >> 1, (data.length >> 1) + 4);
    const decoded = blankPage(1728, 60);
    const { rows, damaged } = decodeRows(data, 't4-1d', decoded, 0, 60);
    expect(rows).toBeGreaterThanOrEqual(58);
    expect(damaged).toBeGreaterThan(0);
    expect(damaged).toBeLessThan(5);
  });

  it('turns the bits of bytes round', () => {
    expect([...reverseBits(Uint8Array.of(0x01, 0x80, 0xf0, 0xa5))]).toEqual([0x80, 0x01, 0x0f, 0xa5]);
  });
});
