import { sha256Hex } from '../../../platform/hash.ts';
import { newId, randomToken } from '../../../platform/ids.ts';

const SECRET_BITS = 256;
/** Tokens of an earlier release begin with `fbk_live`. */
const FORM = /^(?:key|fbk)_live_([A-Za-z0-9-]{1,40})_([\w-]{16,200})$/;

interface KeyToken {
  keyId: string;
  secret: string;
}

/** The parts of `key_live_<keyId>_<secret>`, or the same with the former prefix; null for any other text. */
export function readKeyToken(token: string): KeyToken | null {
  const [, keyId, secret] = FORM.exec(token) ?? [];
  return keyId === undefined || secret === undefined ? null : { keyId, secret };
}

/** Returns a new key ID: time-ordered, without the separator of the token. */
export function newKeyId(): string {
  return newId().replaceAll('-', '');
}

/** A fresh secret of a key: the token to show once, and the hash to store. */
export function newKeySecret(keyId: string): { token: string; secretHash: string } {
  const secret = randomToken(SECRET_BITS);
  return { token: `key_live_${keyId}_${secret}`, secretHash: sha256Hex(secret) };
}
