import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { z } from 'zod';

const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;

/** Bytes as base64url without padding, in the one form that they have. */
export const Bytes = (length: number) =>
  z
    .string()
    .length(Math.ceil((length * 4) / 3))
    .refine((text) => {
      const bytes = Buffer.from(text, 'base64url');
      return bytes.length === length && bytes.toString('base64url') === text;
    }, `must be ${length} bytes as base64url`);

export const PublicKey = Bytes(KEY_BYTES);
export const Signature = Bytes(SIGNATURE_BYTES);
export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/u);

type Curve = 'Ed25519' | 'X25519';

/** Returns the public half of a key as the wire has it: 32 bytes as base64url. */
export function publicText(key: KeyObject): string {
  const { x } = createPublicHalf(key).export({ format: 'jwk' });
  if (x === undefined) throw new Error('only keys of Ed25519 and X25519 go over the wire');
  return x;
}

function createPublicHalf(key: KeyObject): KeyObject {
  return key.type === 'private' ? createPublicKey(key) : key;
}

/** Returns the key of 32 bytes as base64url. */
export function publicKeyOf(text: string, crv: Curve): KeyObject {
  return createPublicKey({ key: { kty: 'OKP', crv, x: text }, format: 'jwk' });
}

/** Signs bytes with Ed25519; base64url. */
export function signBytes(bytes: Uint8Array, key: KeyObject): string {
  return sign(null, bytes, key).toString('base64url');
}

/** Returns true for the Ed25519 signature of these bytes by this public key, both base64url. */
export function isSignatureOf(bytes: Uint8Array, signature: string, signingKey: string): boolean {
  if (!PublicKey.safeParse(signingKey).success || !Signature.safeParse(signature).success) return false;
  return verify(null, bytes, publicKeyOf(signingKey, 'Ed25519'), Buffer.from(signature, 'base64url'));
}

export const sha256Hex = (bytes: Uint8Array | string): string =>
  createHash('sha256').update(bytes).digest('hex');

/** Returns the fingerprint that people compare: SHA-256 of the 32 bytes of a public key, hex. */
export const keyDigest = (text: string): string => sha256Hex(Buffer.from(text, 'base64url'));
