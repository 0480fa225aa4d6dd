const ALPHABET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
const CHECKSUM_CHARACTERS = 6;

/** Returns the Bech32 text (BIP 173) of the bytes, in lower case, after a prefix in lower case. */
export function encodeBech32(prefix: string, bytes: Uint8Array): string {
  const data = regroup(bytes, { from: 8, to: 5, isPadded: true }) ?? [];
  const state = checksumOf([
    ...expand(prefix),
    ...data,
    ...Array.from({ length: CHECKSUM_CHARACTERS }, () => 0),
  ]);
  const sum = Array.from({ length: CHECKSUM_CHARACTERS }, (_, at) => ((state ^ 1) >>> (5 * (5 - at))) & 31);
  return `${prefix}1${[...data, ...sum].map((value) => ALPHABET[value]).join('')}`;
}

/** Returns the bytes of a Bech32 text, which is all lower or all upper case; null for another prefix or a wrong checksum. */
export function decodeBech32(prefix: string, text: string): Buffer | null {
  if (text !== text.toLowerCase() && text !== text.toUpperCase()) return null;
  const lower = text.toLowerCase();
  if (!lower.startsWith(`${prefix}1`)) return null;
  const values = Array.from(lower.slice(prefix.length + 1), (character) => ALPHABET.indexOf(character));
  if (values.length < CHECKSUM_CHARACTERS || values.includes(-1)) return null;
  if (checksumOf([...expand(prefix), ...values]) !== 1) return null;
  const bytes = regroup(values.slice(0, -CHECKSUM_CHARACTERS), { from: 5, to: 8, isPadded: false });
  return bytes && Buffer.from(bytes);
}

function checksumOf(values: readonly number[]): number {
  let state = 1;
  for (const value of values) {
    const top = state >>> 25;
    state = ((state & 0x1ffffff) << 5) ^ value;
    for (const [bit, generator] of GENERATOR.entries()) if ((top >>> bit) & 1) state ^= generator;
  }
  return state;
}

function expand(prefix: string): number[] {
  const codes = [...prefix].map((character) => character.charCodeAt(0));
  return [...codes.map((code) => code >>> 5), 0, ...codes.map((code) => code & 31)];
}

/** Null where bits are left over that are not zero. */
function regroup(
  values: Iterable<number>,
  { from, to, isPadded }: { from: number; to: number; isPadded: boolean },
): number[] | null {
  const groups: number[] = [];
  let held = 0;
  let bits = 0;
  for (const value of values) {
    held = (held << from) | value;
    bits += from;
    while (bits >= to) {
      bits -= to;
      groups.push((held >>> bits) & ((1 << to) - 1));
    }
    held &= (1 << bits) - 1;
  }
  if (isPadded && bits > 0) groups.push((held << (to - bits)) & ((1 << to) - 1));
  return !isPadded && (bits >= from || held !== 0) ? null : groups;
}
