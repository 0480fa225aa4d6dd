import type { DirectDeliveryDirection, DirectDeliveryState } from '../../../shared/states/direct.ts';

/** Keys of this installation for direct delivery. One row. */
export interface DirectIdentityTable {
  /** Always `own`. */
  id: string;
  /** Private keys, present and former, sealed. */
  sealed: string;
  /** Public Ed25519 key in force, base64url. */
  signing_key: string;
  /** Grows with every rotation: guards it. */
  version: number;
  updated_at: string;
}

/** Installation with which documents are exchanged, or shall be. */
export interface DirectPartnerTable {
  id: string;
  organization: string;
  /** E.164, as their card states it. */
  fax_number: string;
  /** Base address of their gateway. */
  endpoint: string;
  /** Public Ed25519 key, base64url. */
  signing_key: string;
  /** Public X25519 key, base64url. */
  exchange_key: string;
  /** Keys before their last rotation, accepted until `previous_until`. Null without one. */
  previous_signing_key: string | null;
  previous_exchange_key: string | null;
  previous_until: string | null;
  /** Own signing key that they have confirmed; another one is told them each day. Null until the first. */
  told_signing_key: string | null;
  /** Canonical JSON of their card. */
  card: string;
  /** ID of the challenge from which the data key derives its code; null without one. */
  code_id: string | null;
  /** HMAC of the last code that was faxed to them; null without one. */
  code_hmac: string | null;
  code_sent_at: string | null;
  code_expires_at: string | null;
  /** Wrong codes since it was made. */
  code_tries: number;
  /** ID of the fax that carries the code; null until it was accepted. */
  code_fax_id: string | null;
  /** Time when a code faxed to their number came back: documents may go to the number directly. Null before. */
  number_confirmed_at: string | null;
  /** End of our check of their number. */
  expires_at: string | null;
  /** Time when we returned a code that they had faxed us. */
  confirmed_by_them_at: string | null;
  confirmed_by_them_until: string | null;
  revoked_at: string | null;
  /** 1 when the partner ended it. */
  revoked_by_them: 0 | 1;
  /** Time of the last statement or document in either direction. */
  last_exchange_at: string | null;
  /** `expires_at` for which the notice of 30, or 7, days was given. */
  notice_30_for: string | null;
  notice_7_for: string | null;
  version: number;
  created_at: string;
  updated_at: string;
}

/** Document that goes to a partner, or came from one. */
export interface DirectDeliveryTable {
  /** 32 hex digits. */
  message_id: string;
  direction: DirectDeliveryDirection;
  partner_id: string;
  /** ID of the sent fax. */
  job_id: string | null;
  /** ID of the received fax. */
  inbound_id: string | null;
  /** `withdrawn` is a fence: a document with this id is refused for good. */
  state: DirectDeliveryState;
  /** A sentence about a refusal or a doubt. */
  problem: string | null;
  /** Canonical JSON; null for a fence. */
  manifest: string | null;
  manifest_signature: string | null;
  manifest_sha256: string | null;
  /** Canonical JSON of the statement. */
  receipt: string | null;
  receipt_signature: string | null;
  /** Of the original, hex. */
  sha256: string | null;
  size_bytes: number | null;
  pages: number | null;
  created_at: string;
  accepted_at: string | null;
  updated_at: string;
}

export interface DirectTables {
  direct_identity: DirectIdentityTable;
  direct_partner: DirectPartnerTable;
  direct_delivery: DirectDeliveryTable;
}
