import { DocumentError } from '../document-error.ts';
import { maxPages, tooManyPages } from '../limits.ts';
import type { ForwardReader } from './forward-reader.ts';
import { PWG_HEADER_BYTES, PWG_SYNC, WORD } from './pwg-header.ts';

/** Formats in which printers get pages as pixels: PWG 5102.4, and that of Apple, which CUPS describes. */
export type PrintRaster = 'image/pwg-raster' | 'image/urf';

/** Tones of a row of pixels: one byte or one bit each, or colors that are turned into grey. */
type Tones = 'grey' | 'black' | 'rgb' | 'cmyk' | 'bits' | 'black bits';

/** A page as its header describes it. */
export interface RasterPage {
  readonly width: number;
  readonly height: number;
  /** Pixels per inch. */
  readonly perInch: { readonly x: number; readonly y: number };
  readonly tones: Tones;
  /** Bytes that are repeated together: those of a pixel, or of eight pixels of one bit. */
  readonly unitBytes: number;
  readonly lineBytes: number;
}

const URF_START = 'UNIRAST\0';
const URF_HEADER_BYTES = 32;
const URF_FILE_HEADER_BYTES = 12;
const MAX_SIDE = 65_535;
/** A sheet of A3 at 600 per inch stays below. */
const MAX_PIXELS = 60_000_000;

/** Thrown for rows and headers that no printer takes. */
export const damagedRaster = () =>
  new DocumentError('invalid', 'The printed pages are damaged or incomplete.');

/** Goes to the first page. Throws a DocumentError. */
export function skipFileHeader(file: ForwardReader, format: PrintRaster): void {
  const start = format === 'image/urf' ? URF_START : PWG_SYNC;
  const bytes = format === 'image/urf' ? URF_FILE_HEADER_BYTES : PWG_SYNC.length;
  const header = file.peek(bytes);
  if (header.length < bytes || header.toString('latin1', 0, start.length) !== start) throw damagedRaster();
  file.skip(bytes);
}

/** Reads the header of the next page, with this number; null at the end of the file. Throws a DocumentError. */
export function readPageHeader(file: ForwardReader, format: PrintRaster, number: number): RasterPage | null {
  if (number > 1 && file.isAtEnd) return null;
  if (number > maxPages) throw new DocumentError('too_large', tooManyPages());
  const bytes = format === 'image/urf' ? URF_HEADER_BYTES : PWG_HEADER_BYTES;
  const header = file.peek(bytes);
  if (header.length < bytes) throw damagedRaster();
  const page = format === 'image/urf' ? urfPage(header) : pwgPage(header);
  file.skip(bytes);
  const { width, height, perInch } = page;
  const isSound =
    width > 0 &&
    height > 0 &&
    width <= MAX_SIDE &&
    height <= MAX_SIDE &&
    width * height <= MAX_PIXELS &&
    [perInch.x, perInch.y].every((density) => density >= 50 && density <= 2_400);
  if (!isSound) throw damagedRaster();
  return page;
}

function pwgPage(header: Buffer): RasterPage {
  const word = (name: keyof typeof WORD) => header.readUInt32BE(WORD[name]);
  const width = word('width');
  const bitsPerPixel = word('bitsPerPixel');
  const tones = pwgTones(word('colorSpace'), bitsPerPixel);
  const lineBytes = Math.ceil((width * bitsPerPixel) / 8);
  // Colors one after another for each pixel, in rows without gaps.
  if (word('lineBytes') !== lineBytes || word('colorOrder') !== 0) throw damagedRaster();
  return {
    width,
    height: word('height'),
    perInch: { x: word('xPerInch'), y: word('yPerInch') },
    tones,
    unitBytes: Math.max(1, bitsPerPixel / 8),
    lineBytes,
  };
}

/** Color spaces of CUPS: luminance, RGB, black, CMYK, sGray, sRGB and Adobe RGB. */
function pwgTones(space: number, bitsPerPixel: number): Tones {
  const found = {
    '0/1': 'bits',
    '18/1': 'bits',
    '3/1': 'black bits',
    '0/8': 'grey',
    '18/8': 'grey',
    '3/8': 'black',
    '1/24': 'rgb',
    '19/24': 'rgb',
    '20/24': 'rgb',
    '6/32': 'cmyk',
  } as const;
  const tones = (found as Readonly<Record<string, Tones>>)[`${space}/${bitsPerPixel}`];
  if (tones === undefined) throw damagedRaster();
  return tones;
}

function urfPage(header: Buffer): RasterPage {
  const bitsPerPixel = header.readUInt8(0);
  const space = header.readUInt8(1);
  const isGrey = bitsPerPixel === 8 && (space === 0 || space === 4);
  const isColored = bitsPerPixel === 24 && (space === 1 || space === 3 || space === 5);
  if (!isGrey && !isColored) throw damagedRaster();
  const width = header.readUInt32BE(12);
  const density = header.readUInt32BE(20);
  return {
    width,
    height: header.readUInt32BE(16),
    perInch: { x: density, y: density },
    tones: isGrey ? 'grey' : 'rgb',
    unitBytes: bitsPerPixel / 8,
    lineBytes: (width * bitsPerPixel) / 8,
  };
}
