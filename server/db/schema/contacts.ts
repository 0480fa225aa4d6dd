import type { EncodedPages } from '../../../shared/encoded-pages.ts';

/** Contact of a fax number. A removed one leaves nothing. */
export interface ContactTable {
  id: string;
  name: string;
  /** The name as lists order it: in lower case, without accents. */
  sort_name: string;
  organization: string | null;
  /** E.164, of one contact only. */
  fax_number: string;
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

export interface ContactsTables {
  contact: ContactTable;
  line_memory: LineMemoryTable;
}
