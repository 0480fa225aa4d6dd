import { type BitWriter, createBitWriter } from './bit-writer.ts';
import { changeBuffer, createChangeFinder } from './changing-elements.ts';
import type { OneBitPage } from './one-bit-page.ts';

/** Encodes a page as ITU-T T.4 one-dimensional (G3, MH): an end-of-line code before each row, six to end the page. */
export function encodeT4(page: OneBitPage): Uint8Array {
  const writer = createBitWriter((page.stride * page.height) >> 2);
  const finder = createChangeFinder(page);
  const changes = changeBuffer(page.width);
  for (let y = 0; y < page.height; y++) {
    finder.find(y, changes);
    writer.reserve(page.width + 64);
    writer.put(1, 12);
    encodeRow(writer, changes, page.width);
  }
  writer.reserve(16);
  for (let i = 0; i < 6; i++) writer.put(1, 12);
  return writer.finish();
}

function encodeRow(writer: BitWriter, changes: Int32Array, width: number): void {
  let column = 0;
  for (let i = 0; column < width; i++) {
    const end = changes[i]!;
    writer.putRun(i & 1, end - column);
    column = end;
  }
}
