import { FIXED_WORDS } from '../fixed-words.ts';

/** The state of a received fax. */
export const INBOUND_STATUSES = ['waiting', 'received', 'failed'] as const;
export type InboundStatus = (typeof INBOUND_STATUSES)[number];

export const INBOUND_STATUS_TEXT: Record<InboundStatus, string> = FIXED_WORDS.receivedFax;
