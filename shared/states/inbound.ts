import { FIXED_WORDS } from '../fixed-words.ts';

/** The state of a received fax. */
export const INBOUND_STATUSES = ['waiting', 'received', 'failed'] as const;
export type InboundStatus = (typeof INBOUND_STATUSES)[number];

export const INBOUND_STATUS_TEXT: Record<InboundStatus, string> = FIXED_WORDS.receivedFax;
/** Results of decoding a received fax whose pages carry a document. The fax stays received in each of them. */
export const DECODE_STATES = [
  'decoded',
  'incomplete',
  'key_missing',
  'key_wrong_or_altered',
  'fingerprint_mismatch',
] as const;
export type DecodeState = (typeof DECODE_STATES)[number];
