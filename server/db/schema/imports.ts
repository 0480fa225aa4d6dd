/** A document that another system handed over. `account`, `operation_id` and `revision` are one import. */
export interface ImportTable {
  id: string;
  /** The principal that imported it, or `folder`: two accounts may use the same operation ids. */
  account: string;
  operation_id: string;
  /** Empty for none. */
  revision: string;
  source_system: string;
  sha256: string;
  inbound_id: string;
  imported_at: string;
  /** Number of times that the same document came again; in `conflicts`, another one under the same name. */
  duplicates: number;
  conflicts: number;
  /** Time of the last repetition, or null. */
  repeated_at: string | null;
}

export interface ImportsTables {
  document_import: ImportTable;
}
