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
  /** How often the same document came again, and another one under the same name. */
  duplicates: number;
  conflicts: number;
  /** When that happened last, or null. */
  repeated_at: string | null;
}

export interface ImportsTables {
  document_import: ImportTable;
}
