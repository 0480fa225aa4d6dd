import { packCode } from './bit-writer.ts';
import { blackCodes, type RunCodes, whiteCodes } from './code-tables.ts';

/** Longest run with a make-up code of its own. */
const longest = 2560;

const packed = ({ bits, lengths }: RunCodes): Int32Array =>
  Int32Array.from(bits, (code, i) => packCode(code, lengths[i]!));

/** The codes of white runs, then of black runs, packed, by the entries of the code tables. */
const runCodes = [packed(whiteCodes), packed(blackCodes)] as const;

/** Room for the packed codes of one row: three for two changes at most, and the make-up codes of long runs. */
export const roomForRow = (width: number): Int32Array => new Int32Array(width * 2 + 64);

/** Writes the packed codes of a run of `pixels` of one color into `out` from `at` on. Returns the place after them. */
export function putRun(out: Int32Array, at: number, black: number, pixels: number): number {
  const codes = runCodes[black]!;
  let next = at;
  let rest = pixels;
  for (; rest >= longest; rest -= longest) out[next++] = codes[103]!;
  if (rest >= 64) {
    out[next++] = codes[63 + (rest >> 6)]!;
    rest &= 63;
  }
  out[next++] = codes[rest]!;
  return next;
}
