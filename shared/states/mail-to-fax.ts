/**
 * State of an e-mail that was to be sent as a fax. `waiting` could not be checked yet; `duplicate` came again after it
 * had become a fax; `ignored` was sent by a program or a list.
 */
export const MAIL_TO_FAX_STATE_TEXT = {
  waiting: 'Waiting',
  accepted: 'Sent as a fax',
  duplicate: 'Received again',
  refused: 'Refused',
  ignored: 'Ignored',
} as const;
export type MailToFaxState = keyof typeof MAIL_TO_FAX_STATE_TEXT;
export const MAIL_TO_FAX_STATES = Object.keys(MAIL_TO_FAX_STATE_TEXT) as [
  MailToFaxState,
  ...MailToFaxState[],
];

/** E-mail replies to a sender, each sent once; `ended` when the fax came to its end. */
export const MAIL_REPLY_KINDS = ['accepted', 'refused', 'asked', 'ended'] as const;
export type MailReplyKind = (typeof MAIL_REPLY_KINDS)[number];

/**
 * State of a reply: `pending` waits for the end of the fax, `waiting` for the e-mail server; an
 * `uncertain` one may have arrived.
 */
export const MAIL_REPLY_STATES = [
  'pending',
  'waiting',
  'sending',
  'sent',
  'uncertain',
  'failed',
  'skipped',
] as const;
export type MailReplyState = (typeof MAIL_REPLY_STATES)[number];
