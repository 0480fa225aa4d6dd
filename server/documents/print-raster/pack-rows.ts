/** Rows that are packed together, and bytes of one code, at most. */
const MOST_ROWS = 256;
const MOST_BYTES = 128;
/** Fewer equal bytes cost no less than different ones. */
const FEWEST_REPEATED = 3;

/** Rows of a page of one byte or eight pixels each, the first `lineBytes` of each `stride`. */
interface Rows {
  readonly rows: Uint8Array;
  readonly stride: number;
  readonly lineBytes: number;
  readonly height: number;
}

/** Packs the rows of a page as PWG 5102.4 describes: equal rows together, equal bytes of a row as one with a count. */
export function packRows({ rows, stride, lineBytes, height }: Rows): Buffer {
  const all = Buffer.from(rows.buffer, rows.byteOffset, rows.length);
  // Longest form of a row: its count, and a code for each of its parts.
  const mostBytes = 2 + lineBytes + 2 * Math.ceil(lineBytes / FEWEST_REPEATED);
  let packed = Buffer.allocUnsafe(Math.max(64 * 1024, mostBytes));
  let at = 0;
  for (let y = 0; y < height; ) {
    const from = y * stride;
    let times = 1;
    while (times < MOST_ROWS && y + times < height) {
      const next = from + times * stride;
      if (all.compare(all, next, next + lineBytes, from, from + lineBytes) !== 0) break;
      times += 1;
    }
    if (at + mostBytes > packed.length) packed = Buffer.concat([packed], 2 * packed.length);
    packed[at] = times - 1;
    at = packRow(all.subarray(from, from + lineBytes), packed, at + 1);
    y += times;
  }
  return packed.subarray(0, at);
}

/** Returns the position after the packed row. */
function packRow(row: Uint8Array, packed: Uint8Array, start: number): number {
  let at = start;
  for (let x = 0; x < row.length; ) {
    const same = equalFrom(row, x);
    if (same >= FEWEST_REPEATED || x + same === row.length) {
      packed[at] = same - 1;
      packed[at + 1] = row[x]!;
      at += 2;
      x += same;
      continue;
    }
    const end = endOfDifferent(row, x + same);
    const length = Math.min(end - x, MOST_BYTES);
    packed[at] = length === 1 ? 0 : 257 - length;
    packed.set(row.subarray(x, x + length), at + 1);
    at += 1 + length;
    x += length;
  }
  return at;
}

function equalFrom(row: Uint8Array, x: number): number {
  const byte = row[x];
  const end = Math.min(x + MOST_BYTES, row.length);
  let next = x + 1;
  while (next < end && row[next] === byte) next += 1;
  return next - x;
}

/** Returns the position at which enough equal bytes begin to be packed. */
function endOfDifferent(row: Uint8Array, from: number): number {
  let x = from;
  while (x < row.length && equalFrom(row, x) < FEWEST_REPEATED) x += 1;
  return x;
}
