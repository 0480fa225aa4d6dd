import { createPixelBudget } from '../limits.ts';
import { createPdfStream, type PdfWriter } from '../pdf/pdf-writer.ts';
import { addPicturePage, writeOneBitPicture } from '../pdf/picture-page.ts';
import { loadSharp } from '../pictures/sharp.ts';
import { blankPage, type OneBitPage } from '../t4/one-bit-page.ts';
import { createForwardReader, type ForwardReader } from './forward-reader.ts';
import { type PrintRaster, type RasterPage, readPageHeader, skipFileHeader } from './raster-pages.ts';
import { unpackRows } from './unpack-rows.ts';

/** Share of grey pixels above which a page has pictures, whose tones are kept; edges of letters are fewer. */
const PICTURE_SHARE = 0.04;
/** Darker and lighter pixels are black and white. */
const DARKEST_GREY = 48;
const LIGHTEST_GREY = 208;
/** Four white pixels. */
const ALL_WHITE = 0xff_ff_ff_ff;

/**
 * Turns the pages that a computer drew for a printer into a PDF, each in its true size. Pages of text become black and white,
 * those with pictures stay grey. Of both files one page at a time is in memory: the pages come in `pieces`, and `write` gets the
 * PDF part by part. `onPage` is called after each page. Returns the number of pages. Throws a DocumentError.
 */
export async function rasterToPdf(
  pieces: Iterable<Uint8Array>,
  format: PrintRaster,
  { write, onPage }: { readonly write: (part: Uint8Array) => void; readonly onPage: () => void },
): Promise<number> {
  const writer = createPdfStream(write);
  const countPixels = createPixelBudget();
  const file = createForwardReader(pieces);
  try {
    skipFileHeader(file, format);
    for (let number = 1; ; number += 1) {
      const page = readPageHeader(file, format, number);
      if (page === null) break;
      countPixels(page.width * page.height);
      await addPage(writer, file, page);
      onPage();
    }
  } finally {
    file.close();
  }
  writer.end();
  return writer.pageCount;
}

async function addPage(writer: PdfWriter, file: ForwardReader, page: RasterPage): Promise<void> {
  const isBits = page.tones === 'bits' || page.tones === 'black bits';
  const id = isBits ? addBits(writer, file, page) : await addTones(writer, file, page);
  const widthPt = (page.width * 72) / page.perInch.x;
  const heightPt = (page.height * 72) / page.perInch.y;
  addPicturePage(writer, id, { widthPt, heightPt }, { x: 0, y: 0, width: widthPt, height: heightPt });
}

/** Returns the number of the picture in the PDF. */
function addBits(writer: PdfWriter, file: ForwardReader, page: RasterPage): number {
  const bits: OneBitPage = blankPage(page.width, page.height);
  const isInverted = page.tones === 'bits';
  const used = page.width & 7;
  unpackRows(file, page, (row, y, times) => {
    for (let each = y; each < y + times; each += 1) bits.rows.set(row, each * bits.stride);
  });
  if (isInverted) for (let i = 0; i < bits.rows.length; i += 1) bits.rows[i] = ~bits.rows[i]! & 0xff;
  // Bits after the last pixel of a row are no pixels.
  if (used > 0)
    for (let last = bits.stride - 1; last < bits.rows.length; last += bits.stride)
      bits.rows[last]! &= 0xff << (8 - used);
  return writeOneBitPicture(writer, bits);
}

async function addTones(writer: PdfWriter, file: ForwardReader, page: RasterPage): Promise<number> {
  const { width, height } = page;
  const pixels = new Uint8Array(width * height);
  const bits = blankPage(width, height);
  // Pixels beyond the row are white.
  const line = new Uint8Array(bits.stride * 8).fill(255);
  const row = line.subarray(0, width);
  const packed = new Uint8Array(bits.stride);
  const toGrey = GREY_OF[page.tones as keyof typeof GREY_OF];
  let greys = 0;
  unpackRows(file, page, (tones, y, times) => {
    toGrey(tones, row);
    greys += times * packRow(line, packed);
    for (let each = y; each < y + times; each += 1) {
      pixels.set(row, each * width);
      bits.rows.set(packed, each * bits.stride);
    }
  });
  if (greys <= width * height * PICTURE_SHARE) return writeOneBitPicture(writer, bits);
  const sharp = await loadSharp();
  // Otherwise three channels are written, and the PDF names one.
  const jpeg = await sharp(pixels, { raw: { width, height, channels: 1 } })
    .toColourspace('b-w')
    .jpeg({ quality: 90 })
    .toBuffer();
  const dictionary = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray /BitsPerComponent 8`;
  return writer.stream(`${dictionary} /Filter /DCTDecode`, jpeg);
}

/** Packs a row of whole bytes into one bit a pixel, dark below half of the scale, and returns the number of its grey pixels. */
function packRow(line: Uint8Array, packed: Uint8Array): number {
  const fours = new Uint32Array(line.buffer);
  let greys = 0;
  for (let at = 0; at < packed.length; at += 1) {
    const [first, second] = [fours[2 * at]!, fours[2 * at + 1]!];
    // Most of a page of text is white.
    if (first === second && (first === ALL_WHITE || first === 0)) {
      packed[at] = first === 0 ? 255 : 0;
      continue;
    }
    let byte = 0;
    for (let x = 8 * at; x < 8 * at + 8; x += 1) {
      const tone = line[x]!;
      byte = byte * 2 + (tone < 128 ? 1 : 0);
      if (tone > DARKEST_GREY && tone < LIGHTEST_GREY) greys += 1;
    }
    packed[at] = byte;
  }
  return greys;
}

/** Turn a row into grey, 0 for black. */
const GREY_OF = {
  grey: (row: Uint8Array, line: Uint8Array) => line.set(row),
  black(row: Uint8Array, line: Uint8Array) {
    for (let x = 0; x < line.length; x += 1) line[x] = 255 - row[x]!;
  },
  rgb(row: Uint8Array, line: Uint8Array) {
    for (let x = 0, i = 0; x < line.length; x += 1, i += 3)
      line[x] = (row[i]! * 77 + row[i + 1]! * 150 + row[i + 2]! * 29) >> 8;
  },
  cmyk(row: Uint8Array, line: Uint8Array) {
    for (let x = 0, i = 0; x < line.length; x += 1, i += 4) {
      const ink = (row[i]! * 77 + row[i + 1]! * 150 + row[i + 2]! * 29) >> 8;
      line[x] = Math.max(0, 255 - ink - row[i + 3]!);
    }
  },
} as const;
