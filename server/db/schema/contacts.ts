import type { EncodedPages } from '../../../shared/encoded-pages.ts';

/** Contact of one or several fax numbers. A removed one leaves nothing. */
export interface ContactTable {
  id: string;
  name: string;
  /** The name as lists order it: in lower case, without accents. */
  sort_name: string;
  organization: string | null;
  /** E.164, of one contact only. */
  fax_number: string;
  /** JSON list of its further fax numbers, E.164. */
  other_fax_numbers: string;
  /** E.164 of a telephone, where no fax machine answers; null for none. */
  voice_number: string | null;
  address: string | null;
  /** JSON list, as typed. */
  tags: string;
  /** Mailbox whose people see the contact; null for everybody who sees contacts. */
  owner_mailbox_id: string | null;
  /** Since when the contact wants no faxes; null when it did not opt out. */
  opted_out_at: string | null;
  consent_note: string | null;
  /** IANA name; null for the zone of the installation. */
  time_zone: string | null;
  /** JSON list of spans in which it may be faxed; null for any time. */
  allowed_hours: string | null;
  /** Cover page of faxes to it; null for the usual one. */
  cover_id: string | null;
  /** 1 when a case packet may name a document that was delivered to it earlier, instead of sending it again. */
  accepts_references: 0 | 1;
  /** 0 for never. */
  send_together_minutes: number;
  /** The delivery route that goes before all others; null for none. */
  preferred_route: string | null;
  /** Form of the pages that are sent to the number. */
  encoded_pages: EncodedPages;
  /** Sealed key for encrypted pages; null for none. */
  shared_key: string | null;
  /** Short digest of that key, for comparing it with the other side; null for none. */
  shared_key_fingerprint: string | null;
  note: string | null;
  blocked: 0 | 1;
  /** Text that a search matches, in lower case. */
  search_text: string;
  version: number;
  created_at: string;
  updated_at: string;
}

/** A fax number of a contact, the first one and the others: a number has one contact. */
interface ContactNumberTable {
  /** E.164. */
  number: string;
  contact_id: string;
}

/** A tag of a contact, for lists by tag. */
interface ContactTagTable {
  /** In lower case, without accents. */
  tag: string;
  contact_id: string;
  /** As typed. */
  label: string;
}

/**
 * Line memory of a number: results from calls on a line of ours. No row while calls run with the best settings without
 * trouble.
 */
export interface LineMemoryTable {
  /** E.164. */
  to_number: string;
  /** Account of the line; calls of another one take another path. */
  provider_account: string;
  without_t38: 0 | 1;
  without_ecm: 0 | 1;
  /** Bits per second; null for what the line does at best. */
  most_rate_bps: number | null;
  /** Calls in a row that had trouble this way. */
  troubles: number;
  learned_at: string;
  /** From then on it is as if nothing had been learned. */
  expires_at: string;
}

/** A number whose holder asked for no faxes, with or without a contact. */
export interface OptedOutNumberTable {
  /** E.164. */
  number: string;
  note: string | null;
  added_at: string;
  /** Null for the gateway itself. */
  added_by_id: string | null;
  added_by: string;
}

export interface ContactsTables {
  contact: ContactTable;
  contact_number: ContactNumberTable;
  contact_tag: ContactTagTable;
  line_memory: LineMemoryTable;
  opted_out_number: OptedOutNumberTable;
}
