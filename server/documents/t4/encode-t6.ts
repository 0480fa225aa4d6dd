import { createBitWriter, packCode } from './bit-writer.ts';
import { changeBuffer, createChangeFinder, FIRST_CHANGE } from './changing-elements.ts';
import type { OneBitPage } from './one-bit-page.ts';
import { putRun, roomForRow } from './run-codes.ts';

/** Codes of the vertical mode for a1 - b1 = -3…3 (T.4 table 4). */
const vertical = Int32Array.of(
  packCode(2, 7),
  packCode(2, 6),
  packCode(2, 3),
  packCode(1, 1),
  packCode(3, 3),
  packCode(3, 6),
  packCode(3, 7),
);
const passMode = packCode(1, 4);
const horizontalMode = packCode(1, 3);
/** Vertical codes of that many changes at the same columns as above. */
const same = Int32Array.from({ length: 17 }, (_, count) => packCode((1 << count) - 1, count));

/** Encodes a page as ITU-T T.6 (G4, MMR), ended by EOFB. */
export function encodeT6(page: OneBitPage): Uint8Array {
  const writer = createBitWriter((page.stride * page.height) >> 3);
  const finder = createChangeFinder(page);
  let reference = changeBuffer(page.width);
  let current = changeBuffer(page.width);
  const codes = roomForRow(page.width);
  for (let y = 0; y < page.height; y++) {
    finder.find(y, current);
    writer.reserve(page.width + 64);
    writer.putAll(codes, encodeRow(codes, reference, current, page.width));
    [reference, current] = [current, reference];
  }
  writer.reserve(4);
  writer.put(1, 12);
  writer.put(1, 12);
  return writer.finish();
}

/**
 * Writes the codes of one row against the row above into `out`, T.4 section 4.2.1.3, and returns their number. a1 is entry
 * `next` of `current` and b1 entry `above` of `reference`. Both are even where the color at a0 is white and odd where it is
 * black, for entries of that parity change it.
 */
function encodeRow(out: Int32Array, reference: Int32Array, current: Int32Array, width: number): number {
  let count = 0;
  let a0 = -1;
  let next = FIRST_CHANGE;
  let above = FIRST_CHANGE;
  while (a0 < width) {
    // b1 is mostly the next entry of its color, or the one before or after. Branches would be guessed wrong in noisy rows.
    above -= ((a0 - reference[above - 2]!) >> 31) & 2;
    above += ((reference[above]! - a0 - 1) >> 31) & 2;
    while (reference[above]! <= a0) above += 2;
    const b1 = reference[above]!;
    let a1 = current[next]!;
    if (a1 === b1) {
      // As long as the rows change at the same columns, each change is coded as a single 1.
      const first = next;
      do {
        a0 = a1;
        a1 = current[++next]!;
      } while (a0 < width && a1 === reference[++above]);
      let ones = next - first;
      for (; ones > 16; ones -= 16) out[count++] = same[16]!;
      out[count++] = same[ones]!;
      continue;
    }
    const shift = a1 - b1 + 3;
    const b2 = reference[above + 1]!;
    if (b2 < a1) {
      out[count++] = passMode;
      a0 = b2;
    } else if (shift >= 0 && shift <= 6) {
      out[count++] = vertical[shift]!;
      a0 = a1;
      next++;
      above++;
    } else {
      const black = next & 1;
      const a2 = current[next + 1]!;
      out[count++] = horizontalMode;
      count = putRun(out, count, black, a1 - Math.max(a0, 0));
      count = putRun(out, count, black ^ 1, a2 - a1);
      a0 = a2;
      next += 2;
    }
  }
  return count;
}
