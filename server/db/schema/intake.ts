import type { MailOAuthProvider, MailSecurity } from '../../../shared/mail-server.ts';
import type { MailRecipientState, MailState } from '../../../shared/states/intake.ts';

type Flag = 0 | 1;

/** E-mail connector: recipients of received faxes, and the server for sending. */
export interface IntakeConnectorTable {
  id: string;
  name: string;
  host: string;
  port: number;
  security: MailSecurity;
  username: string;
  /** Sealed; null for none. */
  password: string | null;
  oauth_provider: MailOAuthProvider | null;
  /** Sealed JSON: client, refresh token and directory; null for a sign-in with the password. */
  oauth: string | null;
  /** Reason why it gives no access token until a person signs in again. */
  oauth_problem: string | null;
  from_address: string;
  /** JSON: addresses. */
  recipients: string;
  enabled: Flag;
  /** E.164; null for faxes to numbers that no connector names. */
  match_number: string | null;
  subject_template: string;
  tested_at: string | null;
  test_ok: Flag | null;
  test_detail: string | null;
  version: number;
  created_at: string;
  updated_at: string;
}

/** One e-mail: a received fax for the recipients of a connector. It outlives the connector. */
export interface IntakeItemTable {
  id: string;
  fax_id: string;
  connector_id: string;
  connector_name: string;
  state: MailState;
  version: number;
  /** Problem that prevents its delivery. */
  problem: string | null;
  /** Attempts that were refused since the last beginning. */
  failures: number;
  retry_at: string | null;
  message_id: string;
  /** Of the fax, as it was filed; the mailbox where it is now. */
  mailbox_id: string | null;
  from_number: string | null;
  to_number: string | null;
  pages: number;
  is_test: Flag;
  filed_at: string;
  recorded_at: string;
  updated_at: string;
}

export interface IntakeRecipientTable {
  item_id: string;
  address: string;
  state: MailRecipientState;
  sentence: string | null;
  at: string | null;
}

export interface IntakeTables {
  intake_connector: IntakeConnectorTable;
  intake_item: IntakeItemTable;
  intake_recipient: IntakeRecipientTable;
}
