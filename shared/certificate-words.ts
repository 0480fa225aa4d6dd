// Six words in place of the 64 hex digits of a fingerprint, for people who compare two screens. The gateway and the
// window of another computer derive them by the same rule, so none of these values ever changes.
//
// Six words of 2,048 are 66 bits. A stranger between window and gateway needs another certificate with the same words.
// With a fast hash, rented graphics cards find one; with scrypt they do not (docs/decisions/0018-six-words.md).

/** Parameters of scrypt. */
export const WORDS_HASH = {
  salt: 'six words of a certificate, 1',
  cost: 32_768,
  blockSize: 8,
  parallelization: 3,
  bytes: 9,
  /** Bytes of memory that scrypt may use. */
  memory: 64 * 1024 * 1024,
} as const;

const WORD_COUNT = 6;
const BITS_PER_WORD = 11;

/** Returns the bytes of a SHA-256 fingerprint that is written as pairs of hex digits. */
export function fingerprintBytes(fingerprint: string): Uint8Array {
  return Uint8Array.from(fingerprint.split(':'), (pair) => Number.parseInt(pair, 16));
}

/** Returns the six words of a digest of at least 66 bits, each chosen by 11 of them from a list of 2,048 words. */
export function wordsOf(digest: Uint8Array, list: readonly string[]): string[] {
  let bits = 0n;
  for (const byte of digest) bits = (bits << 8n) | BigInt(byte);
  const size = BigInt(digest.length * 8);
  return Array.from({ length: WORD_COUNT }, (_, index) => {
    const shift = size - BigInt((index + 1) * BITS_PER_WORD);
    return list[Number((bits >> shift) & 0x7ffn)] ?? '';
  });
}
