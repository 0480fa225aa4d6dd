import { type BitWriter, createBitWriter } from './bit-writer.ts';
import { changeBuffer, createChangeFinder } from './changing-elements.ts';
import type { OneBitPage } from './one-bit-page.ts';

/** Codes of the vertical mode for a1 - b1 = -3…3 (T.4 table 4). */
const verticalBits = [2, 2, 2, 1, 3, 3, 3];
const verticalLengths = [7, 6, 3, 1, 3, 6, 7];

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
 * One row against the row above, T.4 section 4.2.1.3. `black` is the colour at a0; entries of that parity in
 * `current` and `reference` turn to the other colour, which makes them candidates for a1 and b1.
 */
function encodeRow(writer: BitWriter, reference: Int32Array, current: Int32Array, width: number): void {
  let a0 = -1;
  let black = 0;
  let next = 0;
  let above = 0;
  while (a0 < width) {
    const a1 = current[next]!;
    above = (above & ~1) | black;
    while (above > 1 && reference[above - 2]! > a0) above -= 2;
    while (reference[above]! <= a0 && reference[above]! < width) above += 2;
    const b1 = reference[above]!;
    const b2 = b1 < width ? reference[above + 1]! : width;
    if (b2 < a1) {
      writer.put(1, 4);
      a0 = b2;
      continue;
    }
    const shift = a1 - b1 + 3;
    if (shift >= 0 && shift <= 6) {
      writer.put(verticalBits[shift]!, verticalLengths[shift]!);
      a0 = a1;
      black ^= 1;
      next++;
    } else {
      const a2 = a1 < width ? current[next + 1]! : width;
      writer.put(1, 3);
      writer.putRun(black, a1 - Math.max(a0, 0));
      writer.putRun(black ^ 1, a2 - a1);
      a0 = a2;
      next += 2;
    }
  }
}
