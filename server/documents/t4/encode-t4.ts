import { createBitWriter, packCode } from './bit-writer.ts';
import { changeBuffer, createChangeFinder, FIRST_CHANGE } from './changing-elements.ts';
import type { OneBitPage } from './one-bit-page.ts';
import { putRun, roomForRow } from './run-codes.ts';

const endOfLine = packCode(1, 12);

/** Encodes a page as ITU-T T.4 one-dimensional (G3, MH): an end-of-line code before each row, six to end the page. */
export function encodeT4(page: OneBitPage): Uint8Array {
  const writer = createBitWriter((page.stride * page.height) >> 2);
  const finder = createChangeFinder(page);
  const changes = changeBuffer(page.width);
  const codes = roomForRow(page.width);
  for (let y = 0; y < page.height; y++) {
    finder.find(y, changes);
    writer.reserve(page.width + 64);
    writer.putAll(codes, encodeRow(codes, changes, page.width));
  }
  writer.reserve(16);
  for (let i = 0; i < 6; i++) writer.put(1, 12);
  return writer.finish();
}

/** Writes the packed codes of a row into `out`, with the end of the line before, and returns their number. */
function encodeRow(out: Int32Array, changes: Int32Array, width: number): number {
  out[0] = endOfLine;
  let count = 1;
  let column = 0;
  for (let i = FIRST_CHANGE; column < width; i++) {
    const end = changes[i]!;
    count = putRun(out, count, i & 1, end - column);
    column = end;
  }
  return count;
}
