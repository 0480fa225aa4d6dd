import { callSeconds, type EncodedEstimate } from '../../documents/documents.ts';

/** Bytes on the line for each byte that an encoded page carries, with T.6 coding: 127,138 for 24,426. */
const WIRE_BYTES = 5.2;

/** Estimates the duration of a call that sends encoded pages, in whole seconds. */
export function encodedSeconds({ dataPages, parityPages, sealedBytes }: EncodedEstimate): number {
  const bytes = (sealedBytes / Math.max(dataPages, 1)) * WIRE_BYTES;
  return Math.round(callSeconds(Array.from({ length: dataPages + parityPages }, () => bytes)));
}
