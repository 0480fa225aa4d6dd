import { createHash, createHmac, hash, timingSafeEqual } from 'node:crypto';
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

/**
 * Returns the secret of keyed hashes that a data key gives, 32 bytes: the first step of HKDF. It outlives that data key, since a
 * hash cannot be made anew.
 */
export function hashSecretOf(dataKey: Uint8Array): Uint8Array {
  return createHmac('sha256', '').update(dataKey).digest();
}

/** HMAC-SHA256 as base64url under a separate key, which the second step of HKDF derives from the secret for one purpose. */
export function createKeyedHash(secret: Uint8Array, purpose: string): KeyedHash {
  const key = createHmac('sha256', secret).update(`faxdesk ${purpose}\u0001`).digest();
  return (text) => createHmac('sha256', key).update(text).digest('base64url');
}
