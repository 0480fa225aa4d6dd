import { describe, expect, it } from 'vitest';
import { countMidBlocks, dither, toOneBit } from '../../server/documents/raster/greys.ts';
import { type GreyPage, threshold } from '../../server/documents/raster/threshold.ts';
import { seededRandom } from '../fixtures/seeded-random.ts';

const width = 512;
const height = 300;

function greyPage(levelAt: (x: number, y: number) => number): GreyPage {
  const pixels = Uint8Array.from({ length: width * height }, (_, i) =>
    levelAt(i % width, Math.floor(i / width)),
  );
  return { width, height, pixels };
}

/** A patch of tones on white, with single grey pixels and rows. */
const page = greyPage((x, y) => {
  if (y > 50 && y < 150 && x > 100 && x < 400) return ((x * y) >> 5) & 255;
  return y === 200 || (x === 7 && y % 9 === 0) ? 230 - (x % 90) : 255;
});

/** Floyd-Steinberg written down as in the books. */
function byTheBook({ pixels }: GreyPage): Uint8Array {
  const rows = new Uint8Array((width / 8) * height);
  let above = new Int32Array(width + 2);
  let below = new Int32Array(width + 2);
  for (let y = 0; y < height; y++) {
    below.fill(0);
    let carried = 0;
    for (let x = 0; x < width; x++) {
      const level = Math.round((Math.min(Math.max(pixels[y * width + x]! - 64, 0), 136) * 255) / 136);
      const wanted = level + ((carried + above[x + 1]! + 8) >> 4);
      const rest = wanted < 128 ? wanted : wanted - 255;
      if (wanted < 128) rows[(y * width + x) >> 3]! |= 0x80 >> (x & 7);
      carried = rest * 7;
      below[x]! += rest * 3;
      below[x + 1]! += rest * 5;
      below[x + 2]! += rest;
    }
    [above, below] = [below, above];
  }
  return rows;
}

describe('greys', () => {
  it('are spread by Floyd and Steinberg after the levels are stretched', () => {
    expect(Buffer.compare(dither(page).rows, byTheBook(page))).toBe(0);
  });

  it('become black below the middle of the scale where no tones are kept', () => {
    const ramp = greyPage((x) => x & 255);
    const { rows } = threshold(ramp);
    for (let x = 0; x < width; x++)
      expect((rows[x >> 3]! >> (7 - (x & 7))) & 1, `${x}`).toBe((x & 255) < 128 ? 1 : 0);
  });

  it('count as tones only where a whole block is neither black nor white nor an edge', () => {
    expect(countMidBlocks(greyPage((x) => (x % 8 < 3 ? 130 : 255)))).toBe(0);
    expect(countMidBlocks(greyPage(() => 40))).toBe(0);
    expect(countMidBlocks(greyPage(() => 130))).toBe((width / 8) * Math.floor(height / 8));
  });

  it('are counted alike by looking at every pixel', () => {
    const isMid = (level: number) => level > 64 && level < 200;
    for (const [lowest, span] of [
      [0, 256],
      [65, 135],
      [65, 150],
      [50, 150],
      [190, 20],
    ] as const) {
      const random = seededRandom(span);
      const noise = greyPage(() => lowest + random() * span);
      let blocks = 0;
      for (let y = 0; y + 8 <= height; y += 8) {
        for (let x = 0; x < width; x += 8) {
          const level = (i: number) => noise.pixels[(y + (i >> 3)) * width + x + (i & 7)]!;
          const mid = Array.from({ length: 64 }, (_, i) => level(i)).filter(isMid).length;
          if (mid >= 52 && (isMid(level(27)) || isMid(level(45)))) blocks++;
        }
      }
      expect(countMidBlocks(noise), `${lowest} and ${span} more`).toBe(blocks);
    }
  });

  it('are made clean on request', () => {
    const photo = greyPage((x, y) => (y < 160 ? 100 + (x & 63) : 255));
    expect(toOneBit(photo, { cleanGreys: false }).greyShare).toBeGreaterThan(0.4);
    expect(toOneBit(photo, { cleanGreys: true })).toEqual({
      page: threshold(photo),
      greyShare: 0,
      otherwise: null,
    });
  });
});
