import { changeBuffer } from './changing-elements.ts';
import { blankPage, type OneBitPage } from './one-bit-page.ts';
import { createRowDecoder, type RowDecoder } from './row-decoder.ts';

export type FaxCoding = 't6' | 't4-1d' | 't4-2d' | 'rle';

/** Rows that were read, and how many of them were damaged and repeat the row before. */
interface DecodedRows {
  rows: number;
  damaged: number;
}

/**
 * Decodes fax data, highest bit first, into the rows of `page` from row `top` on, `height` rows at most. T.4 data goes on
 * after a damaged row at the next end-of-line code; T.6 data ends there.
 */
export function decodeRows(
  data: Uint8Array,
  coding: FaxCoding,
  page: OneBitPage,
  top: number,
  height: number,
): DecodedRows {
  const padded = new Uint8Array(data.length + 4);
  padded.set(data);
  const decoder = createRowDecoder(padded, page.width);
  let reference = changeBuffer(page.width);
  let current = changeBuffer(page.width);
  let damaged = 0;
  for (let row = 0; row < height; row++) {
    const started = coding === 't6' ? true : startRow(decoder, coding);
    if (!started) return { rows: row, damaged };
    let count = decodeRow(decoder, coding, reference, current);
    if (count < 0) {
      if (coding === 't6' || coding === 'rle' || !decoder.findEndOfLine()) return { rows: row, damaged };
      damaged++;
      current.set(reference);
      count = current.indexOf(page.width);
    }
    fillRow(page, top + row, current, count);
    [reference, current] = [current, reference];
  }
  return { rows: height, damaged };
}

/** A whole page of T.6 data, or null when the data ends or breaks before `height` rows. */
export function decodeT6(data: Uint8Array, width: number, height: number): OneBitPage | null {
  const page = blankPage(width, height);
  return decodeRows(data, 't6', page, 0, height).rows === height ? page : null;
}

/** Skips what stands before a row; false at the end of the page. */
function startRow(decoder: RowDecoder, coding: FaxCoding): boolean {
  if (coding === 'rle') {
    decoder.position = (decoder.position + 7) & ~7;
    return !decoder.atEnd;
  }
  const tagged = coding === 't4-2d' ? 1 : 0;
  let ends = 0;
  while (decoder.skipEndOfLine()) {
    ends++;
    const followedByAnother = decoder.peek(12 + tagged) === ((tagged << 12) | 1);
    if (followedByAnother) {
      decoder.position += tagged;
      if (ends > 1) return false;
    }
    if (!followedByAnother) break;
  }
  return !decoder.atEnd;
}

function decodeRow(
  decoder: RowDecoder,
  coding: FaxCoding,
  reference: Int32Array,
  current: Int32Array,
): number {
  if (coding === 't6') return decoder.twoDimensional(reference, current);
  if (coding !== 't4-2d') return decoder.oneDimensional(current);
  const oneDimensional = decoder.peek(1) === 1;
  decoder.position += 1;
  return oneDimensional ? decoder.oneDimensional(current) : decoder.twoDimensional(reference, current);
}

/** Blackens the pixels from each even to the next odd change. */
function fillRow(page: OneBitPage, y: number, changes: Int32Array, count: number): void {
  const { rows, stride } = page;
  const start = y * stride;
  for (let i = 0; i < count; i += 2) {
    const from = changes[i]!;
    const to = changes[i + 1]!;
    const first = start + (from >> 3);
    const last = start + (to >> 3);
    const head = 0xff >> (from & 7);
    const tail = ~(0xff >> (to & 7)) & 0xff;
    if (first === last) {
      rows[first] = rows[first]! | (head & tail);
      continue;
    }
    rows[first] = rows[first]! | head;
    if (last > first + 1) rows.fill(0xff, first + 1, last);
    if (tail !== 0) rows[last] = rows[last]! | tail;
  }
}

const reversed = Uint8Array.from({ length: 256 }, (_, byte) => {
  let result = 0;
  for (let bit = 0; bit < 8; bit++) if (byte & (1 << bit)) result |= 0x80 >> bit;
  return result;
});

/** Data whose first bit is the lowest of each byte (FillOrder 2), turned to highest first. */
export function reverseBits(data: Uint8Array): Uint8Array {
  return data.map((byte) => reversed[byte]!);
}
