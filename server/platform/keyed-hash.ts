import { createHmac, hkdfSync } from 'node:crypto';

/** A hash that nobody can make without the key: a short text cannot be found from it by trying all there are. */
export type KeyedHash = (text: string) => string;

const KEY_BYTES = 32;

/** HMAC-SHA256 as base64url under a key of its own, which HKDF derives from the data key for one purpose. */
export function createKeyedHash(dataKey: Uint8Array, purpose: string): KeyedHash {
  const key = Buffer.from(hkdfSync('sha256', dataKey, '', `faxdesk ${purpose}`, KEY_BYTES));
  return (text) => createHmac('sha256', key).update(text).digest('base64url');
}
