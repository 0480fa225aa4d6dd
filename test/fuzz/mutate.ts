import type { Random } from './random.ts';

const BYTES = [0, 1, 0x0a, 0x20, 0x7f, 0x80, 0xfe, 0xff];
const NUMBERS = ['0', '-1', '1', '65536', '2147483647', '4294967296', '99999999999999999999', '1e308', '.5'];

/**
 * Returns a copy of the sample with one to eight random changes: flipped bits, other bytes, pieces removed, repeated or
 * copied from another sample, extreme numbers, inserted `words` of the format, a truncated end. The copy has at most
 * twice the length of the sample plus 64 KB.
 */
export function mutate(
  random: Random,
  sample: Buffer,
  { words, others }: { words: readonly string[]; others: readonly Buffer[] },
): Buffer {
  const maxBytes = sample.length * 2 + 65_536;
  let bytes: Buffer = Buffer.from(sample);
  for (let left = 1 + random.int(8); left > 0; left -= 1) {
    const at = random.int(bytes.length + 1);
    const kind = random.int(10);
    if (kind < 2 && at < bytes.length) bytes[at] = (bytes[at] ?? 0) ^ (1 << random.int(8));
    else if (kind === 2 && at < bytes.length) bytes[at] = random.pick(BYTES);
    else if (kind === 3) bytes = splice(bytes, at, random.int(64), Buffer.alloc(0));
    else if (kind === 4) bytes = splice(bytes, at, 0, pieceOf(random, bytes));
    else if (kind === 5) bytes = splice(bytes, at, random.int(64), pieceOf(random, random.pick(others)));
    else if (kind === 6) bytes = changeNumber(random, bytes, at);
    else if (kind === 7) bytes = splice(bytes, at, random.int(8), Buffer.from(random.pick(words), 'latin1'));
    else if (kind === 8) bytes = splice(bytes, at, random.int(8), random.bytes(random.int(16)));
    else if (random.chance(20)) bytes = bytes.subarray(0, at);
  }
  return bytes.subarray(0, maxBytes);
}

const splice = (bytes: Buffer, at: number, removed: number, added: Buffer) =>
  Buffer.concat([bytes.subarray(0, at), added, bytes.subarray(at + removed)]);

function pieceOf(random: Random, bytes: Buffer): Buffer {
  const at = random.int(bytes.length + 1);
  return bytes.subarray(at, at + random.int(random.chance(10) ? 20_000 : 200));
}

/** Replaces the next decimal number from an offset on by an extreme one. */
function changeNumber(random: Random, bytes: Buffer, from: number): Buffer {
  const isDigit = (at: number) => (bytes[at] ?? 0) >= 0x30 && (bytes[at] ?? 0) <= 0x39;
  let at = from;
  while (at < bytes.length && !isDigit(at)) at += 1;
  if (at >= bytes.length) return bytes;
  let end = at;
  while (isDigit(end)) end += 1;
  return splice(bytes, at, end - at, Buffer.from(random.pick(NUMBERS)));
}
