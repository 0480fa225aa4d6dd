import { maxPicturePixels } from '../limits.ts';
import type { T6Picture } from '../pdf/picture-page.ts';
import { packPixels } from '../pictures/pack-pixels.ts';
import { loadSharp } from '../pictures/sharp.ts';
import { decodeRows, decodeT6, type FaxCoding, reverseBits } from '../t4/decode.ts';
import { encodeT6 } from '../t4/encode-t6.ts';
import { blankPage, type OneBitPage } from '../t4/one-bit-page.ts';
import { compressions, type TiffPage } from './page-description.ts';
import { damagedTiff } from './read-directories.ts';

/** Received faxes hold rows that the line has damaged; a page of which more is lost is refused. */
const maxDamagedShare = 0.2;

/**
 * The picture of a black and white page as T.6 data, pixel for pixel. T.6 in one strip is taken over as it is, once it has
 * been decoded without error; all else is decoded and encoded anew.
 */
export async function oneBitPicture(file: Buffer, page: TiffPage): Promise<T6Picture> {
  const { width, height } = page;
  if (page.compression === compressions.t6 && page.strips.length === 1 && !page.tiled) {
    const data = orderedStrip(page, page.strips[0]!);
    if (decodeT6(data, width, height) === null) throw damagedTiff();
    return { width, height, data, blackIsOne: !page.blackIsZero };
  }
  const decoded = await decodePage(file, page);
  return { width, height, data: encodeT6(decoded), blackIsOne: true };
}

async function decodePage(file: Buffer, page: TiffPage): Promise<OneBitPage> {
  const coding = codingOf(page);
  if (page.tiled || coding === null) return await decodeWithSharp(file, page);
  const decoded = blankPage(page.width, page.height);
  for (const [i, strip] of page.strips.entries()) {
    const top = i * page.rowsPerStrip;
    const height = Math.min(page.rowsPerStrip, page.height - top);
    if (height < 1) break;
    const data = orderedStrip(page, strip);
    if (coding === 'none') copyRows(data, decoded, top, height);
    else if (coding === 'packBits') copyRows(unpackBits(data, decoded.stride * height), decoded, top, height);
    else decodeStrip(data, coding, decoded, top, height);
  }
  if (page.strips.length * page.rowsPerStrip < page.height) throw damagedTiff();
  if (page.blackIsZero) invert(decoded);
  return decoded;
}

/** The strip with the first pixel in the highest bit. */
function orderedStrip(page: TiffPage, strip: Buffer): Uint8Array {
  return page.lowestBitFirst ? reverseBits(strip) : strip;
}

function codingOf(page: TiffPage): FaxCoding | 'none' | 'packBits' | null {
  switch (page.compression) {
    case compressions.none:
      return 'none';
    case compressions.packBits:
      return 'packBits';
    case compressions.rle:
      return 'rle';
    case compressions.t4:
      return page.twoDimensional ? 't4-2d' : 't4-1d';
    case compressions.t6:
      return 't6';
    default:
      return null;
  }
}

function decodeStrip(
  data: Uint8Array,
  coding: FaxCoding,
  page: OneBitPage,
  top: number,
  height: number,
): void {
  const { rows, damaged } = decodeRows(data, coding, page, top, height);
  const missing = height - rows;
  if (missing > 2 || damaged > height * maxDamagedShare) throw damagedTiff();
  if (coding === 't6' && missing > 0) throw damagedTiff();
}

function copyRows(data: Uint8Array, page: OneBitPage, top: number, height: number): void {
  const length = page.stride * height;
  if (data.length < length) throw damagedTiff();
  page.rows.set(data.subarray(0, length), top * page.stride);
  clearPadding(page, top, height);
}

/** Bits right of the picture have no meaning in TIFF; ours are white. */
function clearPadding(page: OneBitPage, top: number, height: number): void {
  const spare = page.stride * 8 - page.width;
  if (spare === 0) return;
  for (let y = top; y < top + height; y++) {
    const last = (y + 1) * page.stride - 1;
    page.rows[last] = page.rows[last]! & (0xff << spare);
  }
}

function invert(page: OneBitPage): void {
  for (let i = 0; i < page.rows.length; i++) page.rows[i] = ~page.rows[i]!;
  clearPadding(page, 0, page.height);
}

/** PackBits (TIFF 6.0 section 9) to at most `length` bytes. */
function unpackBits(data: Uint8Array, length: number): Uint8Array {
  const out = new Uint8Array(length);
  let written = 0;
  for (let i = 0; i < data.length && written < length; ) {
    const control = data[i++]!;
    if (control < 128) {
      const literal = data.subarray(i, Math.min(i + control + 1, i + length - written));
      out.set(literal, written);
      written += literal.length;
      i += control + 1;
    } else if (control > 128) {
      out.fill(data[i++]!, written, Math.min(written + 257 - control, length));
      written += 257 - control;
    }
  }
  if (written < length) throw damagedTiff();
  return out;
}

/** Decodes rarer codings (LZW, Deflate, tiles) through sharp, whose pixels are 0 for black. */
async function decodeWithSharp(file: Buffer, page: TiffPage): Promise<OneBitPage> {
  const options = { page: page.index, limitInputPixels: maxPicturePixels, failOn: 'error' } as const;
  const sharp = await loadSharp();
  const { data, info } = await sharp(file, options)
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch((error: unknown) => {
      throw damagedTiff(error);
    });
  if (info.width !== page.width || info.height !== page.height) throw damagedTiff();
  return packPixels(data, info);
}
