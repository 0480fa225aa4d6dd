import { createHash } from 'node:crypto';

/** Bytes of one data key. */
export const DATA_KEY_BYTES = 32;

/**
 * Data keys in force, 32 bytes each, one after another: the first one seals, and each of them opens. There are two while the
 * data key is replaced.
 */
export interface DataKeys {
  readonly bytes: Uint8Array;
}

/** Data keys that a replacement changes while the gateway runs. */
export interface ChangingKeys extends DataKeys {
  bytes: Uint8Array;
}

/** Returns true for the bytes of one data key, or of two. */
export function areDataKeys(bytes: Uint8Array): boolean {
  return bytes.length === DATA_KEY_BYTES || bytes.length === 2 * DATA_KEY_BYTES;
}

/** Returns each of the data keys, the one that seals first. */
export function eachKey(bytes: Uint8Array): Uint8Array[] {
  const keys: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += DATA_KEY_BYTES)
    keys.push(bytes.subarray(at, at + DATA_KEY_BYTES));
  return keys;
}

/** Returns the result of `make` for each data key; it is called again only after the keys were changed. */
export function fromEachKey<T>(
  given: Uint8Array | DataKeys,
  make: (key: Uint8Array) => T,
): () => readonly [T, ...T[]] {
  const keys: DataKeys = given instanceof Uint8Array ? { bytes: given } : given;
  let made: { readonly of: Uint8Array; readonly values: [T, ...T[]] } | null = null;
  return () => {
    const { bytes } = keys;
    if (made?.of !== bytes) made = { of: bytes, values: eachKey(bytes).map(make) as [T, ...T[]] };
    return made.values;
  };
}

/** Returns 16 hexadecimal digits that tell a data key from others and show nothing of it, for people to compare. */
export function keyFingerprint(key: Uint8Array): string {
  return createHash('sha256').update(Buffer.from(key).toString('base64')).digest('hex').slice(0, 16);
}
