import sharp from 'sharp';
import { expect, it } from 'vitest';
import { drawScan } from '../../server/documents/raster/draw-scan.ts';
import { seededRandom } from '../fixtures/seeded-random.ts';

/** Larger than what is drawn in one direction, smaller in the other. */
const scanned = { width: 700, height: 900 };
const placed = { lines: 600, left: 20, top: 0, width: 1000, height: 600, scale: 1 };
const box = { left: 0.1, top: 0.05, right: 0.9, bottom: 1 };
const drawn = { left: 120, top: 30, width: 800, height: 570 };

async function noisyJpeg(channels: 1 | 3, options: { profile?: string } = {}): Promise<Buffer> {
  const random = seededRandom(channels);
  const pixels = Buffer.from(
    Uint8Array.from({ length: scanned.width * scanned.height * channels }, () => random() * 256),
  );
  const picture = sharp(pixels, { raw: { ...scanned, channels } });
  const colored = picture.toColourspace(channels === 1 ? 'b-w' : 'srgb').jpeg({ quality: 90 });
  return await (options.profile ? colored.withIccProfile(options.profile) : colored).toBuffer();
}

it.each([
  ['gray', 1, undefined],
  ['color', 3, undefined],
  ['color with a profile', 3, 'p3'],
] as const)('draws a %s scan as the brightness of its colors', async (_name, channels, profile) => {
  const jpeg = await noisyJpeg(channels, profile ? { profile } : {});
  const page = await drawScan({ jpeg, ...scanned, box }, placed);
  const rgb = await sharp(jpeg)
    .resize({ width: drawn.width, height: drawn.height, fit: 'fill', kernel: 'linear' })
    .toColourspace('srgb')
    .raw()
    .toBuffer();
  expect(rgb.length).toBe(drawn.width * drawn.height * 3);
  const expected = new Uint8Array(page!.width * placed.lines).fill(255);
  for (let i = 0; i < drawn.width * drawn.height; i++) {
    const [x, y] = [drawn.left + (i % drawn.width), drawn.top + Math.floor(i / drawn.width)];
    const [red, green, blue] = [rgb[i * 3]!, rgb[i * 3 + 1]!, rgb[i * 3 + 2]!];
    expected[y * page!.width + x] = (red * 30 + green * 59 + blue * 11) / 100;
  }
  expect(Buffer.compare(page!.pixels, expected)).toBe(0);
});
