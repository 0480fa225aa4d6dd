export const DIRECT_PARTNER_STATES = ['pending', 'verified', 'revoked'] as const;
export type DirectPartnerState = (typeof DIRECT_PARTNER_STATES)[number];

/** Outcomes of a card that a person pasted. */
export const DIRECT_CARD_OUTCOMES = ['checked', 'added', 'renewed', 'unchanged'] as const;
export type DirectCardOutcome = (typeof DIRECT_CARD_OUTCOMES)[number];

export const DIRECT_DIRECTIONS = ['sent', 'received'] as const;
export type DirectDeliveryDirection = (typeof DIRECT_DIRECTIONS)[number];

/** States of a document as they are listed. */
export const DIRECT_DELIVERY_STATES = ['sending', 'accepted', 'refused', 'uncertain'] as const;
/** `withdrawn`: the id is fenced, and no document came under it. */
export type DirectDeliveryState = (typeof DIRECT_DELIVERY_STATES)[number] | 'withdrawn';
