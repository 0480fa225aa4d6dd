import sharp from 'sharp';
import { createPdfWriter } from '../../server/documents/pdf/pdf-writer.ts';
import { addPicturePage } from '../../server/documents/pdf/picture-page.ts';
import { seededRandom } from '../fixtures/seeded-random.ts';

const a4 = { widthPt: 595.28, heightPt: 841.89 };
/** A4 at 150 per inch; with this noise and quality a page has about 125 KB. */
const size = { width: 1240, height: 1754 };

/** A PDF of noisy grey scans, none like another: 200 pages have about 25 MB. */
export async function largeScan(pages: number): Promise<Buffer> {
  const random = seededRandom(11);
  const writer = createPdfWriter();
  for (let page = 0; page < pages; page += 1) {
    const jpeg = await noisyPage(random, page);
    const picture = writer.stream(
      `/Type /XObject /Subtype /Image /Width ${size.width} /Height ${size.height} /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /DCTDecode`,
      jpeg,
    );
    addPicturePage(writer, picture, a4, { x: 0, y: 0, width: a4.widthPt, height: a4.heightPt });
  }
  return writer.finish();
}

/** Lines like print on paper that is not quite white. */
async function noisyPage(random: () => number, page: number): Promise<Buffer> {
  const { width, height } = size;
  const pixels = Buffer.alloc(width * height);
  const noise = Uint8Array.from({ length: 8191 }, () => random() * 10);
  for (let y = 0, i = 0; y < height; y += 1) {
    const printed = y > 120 && y < height - 120 && y % 28 < 16;
    for (let x = 0; x < width; x += 1, i += 1) {
      const ink =
        printed && x > 110 && x < width - 110 && ((x >> 2) * 7 + (y >> 3) * 13 + page * 31) % 17 < 6;
      pixels[i] = (ink ? 20 : 222) + (noise[(i * 3 + page * 101) % 8191] ?? 0);
    }
  }
  return sharp(pixels, { raw: { ...size, channels: 1 } })
    .jpeg({ quality: 37 })
    .toBuffer();
}
