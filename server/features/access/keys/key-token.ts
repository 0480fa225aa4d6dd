import { sha256Hex } from '../../../platform/hash.ts';
import { newId, randomToken } from '../../../platform/ids.ts';

const SECRET_BITS = 256;
/** Tokens of an earlier release begin with `fbk_live`. */
const FORM = /^(key_live|fbk_live|key_test)_([A-Za-z0-9-]{1,40})_([\w-]{16,200})$/;

interface KeyToken {
  keyId: string;
  secret: string;
  /** True for a token that says it is of a test key. */
  isTest: boolean;
}

/**
 * The parts of `key_live_<keyId>_<secret>`, the same with `key_test` for a test key, or with the former prefix; null for
 * any other text.
 */
export function readKeyToken(token: string): KeyToken | null {
  const [, prefix, keyId, secret] = FORM.exec(token) ?? [];
  if (keyId === undefined || secret === undefined) return null;
  return { keyId, secret, isTest: prefix === 'key_test' };
}

/** Returns a new key ID: time-ordered, without the separator of the token. */
export function newKeyId(): string {
  return newId().replaceAll('-', '');
}

/** A fresh secret of a key, and the hash to store. */
export function newKeySecret(): { secret: string; secretHash: string } {
  const secret = randomToken(SECRET_BITS);
  return { secret, secretHash: sha256Hex(secret) };
}

/** Returns the token to show once. */
export function keyTokenOf({ keyId, isTest }: { keyId: string; isTest: boolean }, secret: string): string {
  return `key_${isTest ? 'test' : 'live'}_${keyId}_${secret}`;
}
