import { createHash, createHmac, hash, hkdfSync, timingSafeEqual } from 'node:crypto';
import { createReadStream } from 'node:fs';

/** Lowercase hex SHA-256. */
export function sha256Hex(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex');
}

/** Compares two texts in constant time for equal lengths. */
export function equalInConstantTime(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Lowercase hex SHA-256 and length of a file, read piece by piece. */
export async function fileDigest(path: string): Promise<{ sha256: string; sizeBytes: number }> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    sizeBytes += chunk.length;
  }
  return { sha256: hash.digest('hex'), sizeBytes };
}

/** A hash that nobody can make without the key: a short text cannot be found from it by trying all there are. */
export type KeyedHash = (text: string) => string;

const KEY_BYTES = 32;

/** HMAC-SHA256 as base64url under a key of its own, which HKDF derives from the data key for one purpose. */
export function createKeyedHash(dataKey: Uint8Array, purpose: string): KeyedHash {
  const key = Buffer.from(hkdfSync('sha256', dataKey, '', `faxdesk ${purpose}`, KEY_BYTES));
  return (text) => createHmac('sha256', key).update(text).digest('base64url');
}
