import type { MailMessageTable, MailReplyTable, MailSenderTable } from '../../db/schema/mail-to-fax.ts';

export type SenderRow = MailSenderTable;
export type ReplyRow = MailReplyTable;
export type MessageRow = MailMessageTable;

/** Location of a message in its mailbox. */
export type MessagePlace = Pick<MessageRow, 'account' | 'uid_validity' | 'uid'>;

/** Facts recorded of a message once it was read. */
export type MessageFacts = Partial<
  Pick<MessageRow, 'sender' | 'principal_id' | 'message_id' | 'identity' | 'to_number' | 'fax_id'>
>;
