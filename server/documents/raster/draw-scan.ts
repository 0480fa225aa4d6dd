import { maxPicturePixels } from '../limits.ts';
import type { ScannedPage } from '../pdfium/scanned-page.ts';
import { loadSharp } from '../pictures/sharp.ts';
import { faxWidth, type Placement } from './page-geometry.ts';
import type { GreyPage } from './threshold.ts';

/** Draws a scanned page as PDFium would, or gives null when the JPEG is not what the file says. */
export async function drawScan(scan: ScannedPage, placement: Placement): Promise<GreyPage | null> {
  const left = placement.left + Math.round(scan.box.left * placement.width);
  const right = placement.left + Math.round(scan.box.right * placement.width);
  const top = placement.top + Math.round(scan.box.top * placement.height);
  const bottom = placement.top + Math.round(scan.box.bottom * placement.height);
  const [width, height] = [right - left, bottom - top];
  if (left < 0 || top < 0 || right > faxWidth || bottom > placement.lines || width < 1 || height < 1)
    return null;
  const sharp = await loadSharp();
  // Read in sequence, a scan is never decoded into memory as a whole.
  const options = { limitInputPixels: maxPicturePixels, failOn: 'warning', sequentialRead: true } as const;
  const source = sharp(scan.jpeg, options);
  const metadata = await source.metadata().catch(() => null);
  if (metadata?.width !== scan.width || metadata.height !== scan.height || metadata.space === 'cmyk')
    return null;
  // Without it sharp makes three channels of one; a color profile needs them.
  const isGrey = metadata.channels === 1 && metadata.icc === undefined;
  const resized = await (isGrey ? source.toColourspace('b-w') : source)
    .resize({ width, height, fit: 'fill', kernel: 'linear' })
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch(() => null);
  if (resized === null) return null;
  const { data, info } = resized;
  const pixels = new Uint8Array(faxWidth * placement.lines).fill(255);
  for (let y = 0; y < height; y++) {
    const from = y * width * info.channels;
    const to = (top + y) * faxWidth + left;
    if (info.channels === 1) pixels.set(data.subarray(from, from + width), to);
    else copyAsGrey(pixels, to, data, from, width, info.channels);
  }
  return { width: faxWidth, height: placement.lines, pixels };
}

/** A hundredth in whole numbers: exact for everything up to 255 x 100, and several times as fast as a division. */
const hundredth = 5243;
const hundredthBits = 19;

/** Copies `count` RGB pixels as their brightness, with the weights PDFium uses. */
function copyAsGrey(
  pixels: Uint8Array,
  to: number,
  rgb: Uint8Array,
  from: number,
  count: number,
  channels: number,
): void {
  for (let x = to, i = from; x < to + count; x++, i += channels) {
    const sum = rgb[i]! * 30 + rgb[i + 1]! * 59 + rgb[i + 2]! * 11;
    pixels[x] = (sum * hundredth) >> hundredthBits;
  }
}
