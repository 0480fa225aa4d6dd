import { createHmac } from 'node:crypto';
import type { CallbackForm } from '../../../features/outbound/transport-port.ts';
import { equalInConstantTime } from '../../../platform/hash.ts';

/** Headers that may hold a callback's signature, lowercase: the contract's name, and the one the vendor sends. */
export const signatureHeaders = ['x-cloudone-signature', 'x-phaxio-signature'] as const;

/**
 * The vendor's callback signature: HMAC-SHA1 in lowercase hex over the exact address, then the fields and then the file
 * digests, each sorted by name; repeated names keep their order on the wire.
 */
function callbackSignature(token: string, callbackUrl: string, form: CallbackForm): string {
  const signed = [callbackUrl, ...joinedByName(form.fields), ...joinedByName(form.files)].join('');
  return createHmac('sha1', token).update(signed, 'utf8').digest('hex');
}

/** The signature that a request bears, by a reader of its headers; undefined when it bears none. */
export function signatureOf(header: (name: string) => string | undefined): string | undefined {
  return signatureHeaders.map(header).find((value) => value !== undefined);
}

/** Returns true when a text has the form of a signature. Uppercase hex is not the vendor's form. */
export function isSignature(text: string): boolean {
  return /^[0-9a-f]{40}$/u.test(text);
}

/** False without a token: an unsigned callback is never believed. */
export function verifySignature(token: string, url: string, form: CallbackForm, signature: string): boolean {
  if (token === '' || !isSignature(signature)) return false;
  return equalInConstantTime(callbackSignature(token, url, form), signature);
}

/** Array sort is stable; names compare by their UTF-8 bytes. */
function joinedByName(pairs: ReadonlyArray<readonly [string, string]>): string[] {
  const keyed = pairs.map(([name, value]) => ({ key: Buffer.from(name), text: name + value }));
  return keyed.sort((a, b) => Buffer.compare(a.key, b.key)).map((entry) => entry.text);
}
