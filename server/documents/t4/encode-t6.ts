import { type BitWriter, createBitWriter } from './bit-writer.ts';
import { changeBuffer, createChangeFinder } from './changing-elements.ts';
import type { OneBitPage } from './one-bit-page.ts';

/** Codes of the vertical mode for a1 - b1 = -3…3 (T.4 table 4). */
const verticalBits = Uint8Array.of(2, 2, 2, 1, 3, 3, 3);
const verticalLengths = Uint8Array.of(7, 6, 3, 1, 3, 6, 7);

/** Encodes a page as ITU-T T.6 (G4, MMR), ended by EOFB. */
export function encodeT6(page: OneBitPage): Uint8Array {
  const writer = createBitWriter((page.stride * page.height) >> 3);
  const finder = createChangeFinder(page);
  let reference = changeBuffer(page.width);
  let current = changeBuffer(page.width);
  for (let y = 0; y < page.height; y++) {
    finder.find(y, current);
    writer.reserve(page.width + 64);
    encodeRow(writer, reference, current, page.width);
    [reference, current] = [current, reference];
  }
  writer.reserve(4);
  writer.put(1, 12);
  writer.put(1, 12);
  return writer.finish();
}

/**
 * One row against the row above, T.4 section 4.2.1.3. a1 is entry `next` of `current` and b1 entry `above` of `reference`.
 * Both are even where the color at a0 is white and odd where it is black, for entries of that parity change it.
 */
function encodeRow(writer: BitWriter, reference: Int32Array, current: Int32Array, width: number): void {
  let a0 = -1;
  let next = 0;
  let above = 0;
  while (a0 < width) {
    while (above > 1 && reference[above - 2]! > a0) above -= 2;
    while (reference[above]! <= a0 && reference[above]! < width) above += 2;
    let a1 = current[next]!;
    const b1 = reference[above]!;
    if (a1 === b1) {
      // As long as the rows change at the same columns, each change is coded as a single 1.
      const first = next;
      do {
        a0 = a1;
        a1 = current[++next]!;
      } while (a0 < width && a1 === reference[++above]);
      writer.putOnes(next - first);
      continue;
    }
    const b2 = b1 < width ? reference[above + 1]! : width;
    const shift = a1 - b1 + 3;
    if (b2 < a1) {
      writer.put(1, 4);
      a0 = b2;
    } else if (shift >= 0 && shift <= 6) {
      writer.put(verticalBits[shift]!, verticalLengths[shift]!);
      a0 = a1;
      next++;
      above++;
    } else {
      const black = next & 1;
      const a2 = a1 < width ? current[next + 1]! : width;
      writer.put(1, 3);
      writer.putRun(black, a1 - Math.max(a0, 0));
      writer.putRun(black ^ 1, a2 - a1);
      a0 = a2;
      next += 2;
    }
  }
}
