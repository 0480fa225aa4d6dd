/**
 * State of the e-mail that delivers a received fax to the recipients of a connector. `received` waits to be sent;
 * `uncertain` may have arrived and cannot be checked, so it is never sent again automatically.
 */
export const MAIL_STATE_TEXT = {
  received: 'Waiting to be sent',
  sending: 'Being sent',
  delivered: 'Delivered',
  uncertain: 'Needs a check',
  failed: 'Failed',
} as const;
export type MailState = keyof typeof MAIL_STATE_TEXT;
export const MAIL_STATES = Object.keys(MAIL_STATE_TEXT) as [MailState, ...MailState[]];

/** State of the same e-mail for one recipient. */
export const MAIL_RECIPIENT_STATES = ['waiting', 'delivered', 'refused', 'uncertain'] as const;
export type MailRecipientState = (typeof MAIL_RECIPIENT_STATES)[number];

/** Answer of a person about an e-mail that needs a check. */
export const MAIL_CONFIRM_OUTCOMES = ['arrived', 'not_arrived'] as const;
export type MailConfirmOutcome = (typeof MAIL_CONFIRM_OUTCOMES)[number];
