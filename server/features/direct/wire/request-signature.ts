import type { KeyObject } from 'node:crypto';
import { isSignatureOf, PublicKey, publicText, Signature, signBytes } from './keys.ts';
import { assertFresh, WireTime } from './statement.ts';
import { WireError } from './wire-error.ts';

/** Headers that sign a request without a body; lower case. */
export const REQUEST_HEADERS = {
  key: 'x-direct-key',
  time: 'x-direct-time',
  signature: 'x-direct-signature',
} as const;
/** Most difference between the clocks. */
const REQUEST_MS = 5 * 60_000;

/** Method, and path from `/direct/` on, without the base path of an endpoint. */
interface SignedRequest {
  readonly method: string;
  readonly path: string;
}

/** Returns the headers that sign a request. `now` in epoch ms. */
export function signRequest(
  request: SignedRequest,
  signingKey: KeyObject,
  now: number,
): Record<string, string> {
  const time = new Date(now).toISOString();
  return {
    [REQUEST_HEADERS.key]: publicText(signingKey),
    [REQUEST_HEADERS.time]: time,
    [REQUEST_HEADERS.signature]: signBytes(bytesOf(request, time), signingKey),
  };
}

/** Returns the signing key that a request names; null for none that could be one. Nothing is verified. */
export function requestSender(headers: Readonly<Record<string, unknown>>): string | null {
  const key = PublicKey.safeParse(headers[REQUEST_HEADERS.key]);
  return key.success ? key.data : null;
}

/** Throws WireError (`malformed`, `stale`, `signature`) unless the sender of a request signed it just now. */
export function assertRequestSigned(
  request: SignedRequest,
  headers: Readonly<Record<string, unknown>>,
  now: number,
): void {
  const key = requestSender(headers);
  const time = WireTime.safeParse(headers[REQUEST_HEADERS.time]);
  const signature = Signature.safeParse(headers[REQUEST_HEADERS.signature]);
  if (key === null || !time.success || !signature.success)
    throw new WireError('malformed', 'The request is not signed.');
  assertFresh(time.data, now, REQUEST_MS);
  if (!isSignatureOf(bytesOf(request, time.data), signature.data, key))
    throw new WireError('signature', 'The signature of the request is not valid.');
}

const bytesOf = ({ method, path }: SignedRequest, time: string) =>
  Buffer.from([method, path, time].join('\n'));
