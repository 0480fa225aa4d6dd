import type { HOLD_KINDS } from '../../../shared/api/holds.ts';

export interface LegalHoldTable {
  id: string;
  name: string;
  reason: string;
  kind: (typeof HOLD_KINDS)[number];
  case_id: string | null;
  /** JSON: E.164 numbers, those of a contact as they were when it was placed. */
  numbers: string;
  contact_id: string | null;
  /** As it was then. */
  contact_name: string | null;
  mailbox_id: string | null;
  /** Only faxes recorded from this time on, and before that one; ISO 8601 UTC, null for any. */
  since: string | null;
  until: string | null;
  placed_at: string;
  placed_by_id: string | null;
  placed_by: string;
  /** Null while it is open. */
  released_at: string | null;
  released_by_id: string | null;
  released_by: string | null;
  release_note: string | null;
  version: number;
}

/** Fax that a hold covers by itself: one that was named, or that left the mailbox of the hold. */
interface LegalHoldFaxTable {
  hold_id: string;
  /** Of a sent or a received fax. */
  fax_id: string;
}

export interface HoldsTables {
  legal_hold: LegalHoldTable;
  legal_hold_fax: LegalHoldFaxTable;
}
