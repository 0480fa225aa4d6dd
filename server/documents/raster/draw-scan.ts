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
  const source = sharp(scan.jpeg, { limitInputPixels: maxPicturePixels, failOn: 'warning' });
  const metadata = await source.metadata().catch(() => null);
  if (metadata?.width !== scan.width || metadata.height !== scan.height || metadata.space === 'cmyk')
    return null;
  const resized = await source
    .resize({ width, height, fit: 'fill', kernel: 'linear' })
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch(() => null);
  if (resized === null) return null;
  const { data, info } = resized;
  const pixels = new Uint8Array(faxWidth * placement.lines).fill(255);
  for (let y = 0; y < height; y++) {
    const row = data.subarray(y * width * info.channels, (y + 1) * width * info.channels);
    pixels.set(info.channels === 1 ? row : greyOf(row, info.channels), (top + y) * faxWidth + left);
  }
  return { width: faxWidth, height: placement.lines, pixels };
}

/** Brightness of a row of RGB pixels with the weights PDFium uses. */
function greyOf(row: Uint8Array, channels: number): Uint8Array {
  const grey = new Uint8Array(row.length / channels);
  for (let x = 0, i = 0; x < grey.length; x++, i += channels) {
    grey[x] = (row[i]! * 30 + row[i + 1]! * 59 + row[i + 2]! * 11) / 100;
  }
  return grey;
}
