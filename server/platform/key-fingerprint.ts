import { createPublicKey, type KeyObject } from 'node:crypto';
import { sha256Hex } from './hash.ts';

/** Lowercase hex SHA-256 of a public key in DER: the same that `openssl pkey -pubin -outform DER | sha256sum` prints. */
export function keyFingerprint(key: KeyObject): string {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key;
  return sha256Hex(publicKey.export({ type: 'spki', format: 'der' }));
}
