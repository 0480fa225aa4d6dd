import { DocumentError } from '../document-error.ts';
import { maxPages, tooManyPages } from '../limits.ts';
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
  /** Position of its rows in the file. */
  readonly at: number;
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

/** Returns the position of the first page. Throws a DocumentError. */
export function firstPageAt(file: Buffer, format: PrintRaster): number {
  const start = format === 'image/urf' ? URF_START : PWG_SYNC;
  if (!file.toString('latin1', 0, start.length).startsWith(start)) throw damagedRaster();
  return format === 'image/urf' ? URF_FILE_HEADER_BYTES : PWG_SYNC.length;
}

/** Reads the header of the page at a position; null at the end of the file. Throws a DocumentError. */
export function readPageHeader(
  file: Buffer,
  format: PrintRaster,
  { at, number }: { readonly at: number; readonly number: number },
): RasterPage | null {
  if (at === file.length && number > 1) return null;
  if (number > maxPages) throw new DocumentError('too_large', tooManyPages());
  const bytes = format === 'image/urf' ? URF_HEADER_BYTES : PWG_HEADER_BYTES;
  if (at + bytes > file.length) throw damagedRaster();
  const page = format === 'image/urf' ? urfPage(file, at) : pwgPage(file, at);
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

function pwgPage(file: Buffer, at: number): RasterPage {
  const word = (name: keyof typeof WORD) => file.readUInt32BE(at + WORD[name]);
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
    at: at + PWG_HEADER_BYTES,
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

function urfPage(file: Buffer, at: number): RasterPage {
  const bitsPerPixel = file.readUInt8(at);
  const space = file.readUInt8(at + 1);
  const isGrey = bitsPerPixel === 8 && (space === 0 || space === 4);
  const isColored = bitsPerPixel === 24 && (space === 1 || space === 3 || space === 5);
  if (!isGrey && !isColored) throw damagedRaster();
  const width = file.readUInt32BE(at + 12);
  const density = file.readUInt32BE(at + 20);
  return {
    width,
    height: file.readUInt32BE(at + 16),
    perInch: { x: density, y: density },
    tones: isGrey ? 'grey' : 'rgb',
    unitBytes: bitsPerPixel / 8,
    lineBytes: (width * bitsPerPixel) / 8,
    at: at + URF_HEADER_BYTES,
  };
}
