import type { MailReplyKind, MailReplyState, MailToFaxState } from '../../../shared/states/mail-to-fax.ts';

/** An e-mail address whose messages are sent as faxes of a person or an integration. */
export interface MailSenderTable {
  id: string;
  /** Lower case. */
  address: string;
  principal_id: string;
  /** Mailbox for which the faxes are sent; null leaves the choice to the gateway. */
  mailbox_id: string | null;
  created_by_name: string;
  created_at: string;
}

/** Message of the mailbox, with its outcome. */
export interface MailMessageTable {
  id: string;
  /** Fingerprint of server, sign-in name and folder. */
  account: string;
  /** With the UID it names the message in the folder. */
  uid_validity: string;
  uid: string;
  state: MailToFaxState;
  sender: string | null;
  principal_id: string | null;
  message_id: string | null;
  /** Fingerprint of sender and Message-ID; null while the sender has not proved themselves. */
  identity: string | null;
  /** E.164. */
  to_number: string | null;
  fax_id: string | null;
  /** A sentence: why it became no fax, or why it waits. */
  problem: string | null;
  /**
   * Number of times that it was begun since its last recorded outcome: grows with a message that crashes the gateway
   * again and again.
   */
  begun: number;
  /** Number of times that its check was inconclusive. */
  tries: number;
  retry_at: string | null;
  recorded_at: string;
  updated_at: string;
}

/** One e-mail to the sender of a message. */
export interface MailReplyTable {
  /** Of the message. */
  mail_id: string;
  kind: MailReplyKind;
  state: MailReplyState;
  version: number;
  address: string;
  /** Sealed; subject of the message, null where unknown, and once nothing is sent any more. */
  subject: string | null;
  /** A sentence: why it was not sent, or may not have arrived. */
  problem: string | null;
  failures: number;
  retry_at: string | null;
  recorded_at: string;
  updated_at: string;
}

export interface MailToFaxTables {
  mail_sender: MailSenderTable;
  mail_message: MailMessageTable;
  mail_reply: MailReplyTable;
}
