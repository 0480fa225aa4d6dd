import type { RemovalState } from '../../../shared/api/archives-removal.ts';

/** Removal of the faxes of an archive from the store. */
export interface ArchiveRemovalTable {
  id: string;
  year: number;
  /** Null for the whole year. */
  month: number | null;
  /** ISO 8601 UTC: from the first until before the second. */
  since: string;
  until: string;
  state: RemovalState;
  /** Guards the choices of people. */
  version: number;
  /** Digest of the archive; null until it was verified. */
  digest: string | null;
  /** Reason why the archive cannot be used, as a sentence. */
  problem: string | null;
  /** Faxes that are to leave and have not left. */
  waiting: number;
  removed_sent: number;
  removed_received: number;
  /** JSON: number of faxes that stay by reason. */
  staying: string;
  /** Faxes of the archive that were not in the store. */
  gone: number;
  /** Faxes of the span that the archive does not have; null until it was verified. */
  not_archived: number | null;
  created_at: string;
  created_by: string;
  started_at: string | null;
  started_by: string | null;
  ended_at: string | null;
}

/** A fax that is to leave with a removal; deleted as it leaves or turns out to stay. */
export interface ArchiveRemovalFaxTable {
  removal_id: string;
  /** Counts from 1. */
  position: number;
  direction: 'sent' | 'received';
  fax_id: string;
  /** Of its record, as the archive has it. */
  revision: string;
  work_revision: string | null;
  /** Of its document in the archive; null for none. */
  sha256: string | null;
  /** Of its original in the archive; null for none. */
  original_sha256: string | null;
}

export interface ArchivesTables {
  archive_removal: ArchiveRemovalTable;
  archive_removal_fax: ArchiveRemovalFaxTable;
}
