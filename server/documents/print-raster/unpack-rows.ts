import type { ForwardReader } from './forward-reader.ts';
import { damagedRaster, type RasterPage } from './raster-pages.ts';

/** Fills the rest of a row with white. */
const REST_IS_WHITE = 128;
const SHORT_RUN = 24;

/** Bytes that a row can take: its count, and a code for each of its bytes. */
const mostPackedBytes = (lineBytes: number) => 1 + 2 * lineBytes;

/**
 * Unpacks the rows of a page one after another: `onRow` gets each with the number of times that it occurs, in memory that the next
 * one takes. Throws a DocumentError for rows that run past their end or the file.
 */
export function unpackRows(
  file: ForwardReader,
  page: RasterPage,
  onRow: (row: Uint8Array, y: number, times: number) => void,
): void {
  const row = new Uint8Array(page.lineBytes);
  const white = page.tones === 'black' || page.tones === 'black bits' || page.tones === 'cmyk' ? 0 : 255;
  for (let y = 0; y < page.height; ) {
    const packed = file.peek(mostPackedBytes(page.lineBytes));
    const times = byteAt(packed, 0) + 1;
    file.skip(unpackRow(packed, 1, { row, unit: page.unitBytes, white }));
    if (y + times > page.height) throw damagedRaster();
    onRow(row, y, times);
    y += times;
  }
}

/** Returns the position after the packed row. */
function unpackRow(
  file: Buffer,
  start: number,
  { row, unit, white }: { readonly row: Uint8Array; readonly unit: number; readonly white: number },
): number {
  let at = start;
  for (let x = 0; x < row.length; ) {
    const code = byteAt(file, at);
    at += 1;
    if (code === REST_IS_WHITE) {
      row.fill(white, x);
      break;
    }
    const isRepeated = code < REST_IS_WHITE;
    const units = isRepeated ? code + 1 : 257 - code;
    const length = units * unit;
    const taken = isRepeated ? unit : length;
    if (x + length > row.length || at + taken > file.length) throw damagedRaster();
    if (isRepeated && unit === 1) fill(row, file[at] ?? white, { from: x, to: x + length });
    else if (isRepeated)
      for (let to = x; to < x + length; to += unit) row.set(file.subarray(at, at + unit), to);
    else row.set(file.subarray(at, at + length), x);
    at += taken;
    x += length;
  }
  return at;
}

/** Most runs are short, and a call of the engine would cost more than their bytes. */
function fill(
  row: Uint8Array,
  tone: number,
  { from, to }: { readonly from: number; readonly to: number },
): void {
  if (to - from > SHORT_RUN) row.fill(tone, from, to);
  else for (let x = from; x < to; x += 1) row[x] = tone;
}

function byteAt(file: Buffer, at: number): number {
  const byte = file[at];
  if (byte === undefined) throw damagedRaster();
  return byte;
}
