import type { INBOUND_CHECKS } from '../../../shared/api/inbound-shapes.ts';
import type { Backend } from '../../../shared/backends.ts';
import type { InboundEvidenceKind } from '../../../shared/history-kinds.ts';
import type { DecodeState, InboundStatus } from '../../../shared/states/inbound.ts';

type Flag = 0 | 1;

export interface InboundFaxTable {
  id: string;
  backend: Backend;
  /** With the provider's id of the fax it names one fax: the same id under two accounts is two faxes. */
  provider_account: string;
  provider_fax_id: string;
  /** Name of the system it was imported from; null for a fax that was received here. */
  source_system: string | null;
  status: InboundStatus;
  version: number;
  /** E.164; null while nobody reported it. */
  from_number: string | null;
  to_number: string | null;
  to_inferred: Flag;
  mailbox_id: string | null;
  /** As the provider counts them. */
  reported_pages: number | null;
  /** Of the document. */
  pages: number | null;
  size_bytes: number | null;
  sha256: string | null;
  media_type: string | null;
  /** Name in the storage; null until the document is there and again once it has outlived its time. */
  document: string | null;
  is_test: Flag;
  recovered: Flag;
  conflicts: number;
  /** Pages may be missing: its source says so, or counts more of them than the document has. */
  incomplete: Flag;
  /** Time at which this service recorded it. */
  received_at: string;
  updated_at: string;
  /** Time at which the provider had it complete; never this service's own time. */
  source_received_at: string | null;
  /** The provider has all of it. */
  source_complete: Flag;
  retry_at: string | null;
  /** Attempts to fetch that failed since the last beginning. */
  failures: number;
  problem: string | null;
  /** Sealed JSON: the account to fetch with, or what another source needs; null once nothing is left to be had. */
  captured: string | null;
  /** JSON of the quarter turns by page; null while no page is turned. */
  turns: string | null;
  /** 1 for a fax in Junk: it came from a blocked sender, or a person moved it there by blocking its sender. */
  junk: Flag;
  /**
   * 1 for a fax that a test key asked for: it has no work item, and is in no list of people unless they ask for it. `is_test`
   * also marks test pages that people made or a provider sent, which are worked on like any other.
   */
  test: Flag;
  /** Description by people: one line each, null for none. */
  subject: string | null;
  reference: string | null;
  document_type: string | null;
  search_text: string;
}

/** Append-only evidence: reports about the fax, how each was checked, and the action taken. */
export interface InboundEvidenceTable {
  id: string;
  fax_id: string;
  /** Counts from 1 in the order of recording. */
  position: number;
  kind: InboundEvidenceKind;
  occurred_at: string;
  checked_by: (typeof INBOUND_CHECKS)[number];
  actor: string;
  text: string;
  /** Sealed JSON of at most 8 KB, or null. */
  notification: string | null;
  sha256: string | null;
  size_bytes: number | null;
}

/** Document that the pages of a fax carry; also a fax that is about to be looked at for one. */
export interface InboundOriginalTable {
  fax_id: string;
  /** Null while nobody looked at its pages. */
  state: DecodeState | null;
  /** E-mails wait for the result until then, ISO 8601 UTC; null once there is one. */
  awaited_until: string | null;
  /** Contact whose key a person chose; null for that of the sender alone. */
  contact_id: string | null;
  pages_found: number | null;
  pages_needed: number | null;
  /** Cleaned name of the file. */
  document_name: string | null;
  /** Checked against its content. */
  media_type: string | null;
  sha256: string | null;
  size_bytes: number | null;
  /** Name in the storage; null without a file, and once it has outlived its time. */
  document: string | null;
}

interface InboundReadTable {
  /** `anybody` for the mark that all share. */
  principal_id: string;
  /** As people knew the reader then. */
  reader_name: string;
  fax_id: string;
  read_at: string;
}

/** Position up to which the listing of an account was processed. */
interface InboundLookTable {
  provider_account: string;
  looked_at: string;
}

/** Sender whose faxes go to Junk. */
export interface BlockedSenderTable {
  /** E.164, or `+` with digits, as received faxes have it. */
  number: string;
  /** Fax from which it was blocked; null when the number was entered. */
  fax_id: string | null;
  blocked_at: string;
  /** Null for a command on the computer of the gateway. */
  blocked_by_id: string | null;
  /** Name of the person or integration, as people knew them then. */
  blocked_by: string;
}

/** Notification that an earlier release had seen, of a fax that it may not have kept. */
export interface SeenNotificationTable {
  id: string;
  backend: Backend;
  provider_fax_id: string;
  seen_at: string;
}

/** A fax that was removed with an archive: it is not fetched, imported or reported again. */
interface RemovedFaxTable {
  provider_account: string;
  provider_fax_id: string;
  fax_id: string;
  /** Time of its record. */
  received_at: string;
  /** Archive that has it; the month is null for that of the whole year. */
  year: number;
  month: number | null;
  removed_at: string;
}

export interface InboundTables {
  inbound_removed: RemovedFaxTable;
  inbound_blocked_sender: BlockedSenderTable;
  seen_notification: SeenNotificationTable;
  inbound_fax: InboundFaxTable;
  inbound_evidence: InboundEvidenceTable;
  inbound_original: InboundOriginalTable;
  inbound_read: InboundReadTable;
  inbound_look: InboundLookTable;
}
