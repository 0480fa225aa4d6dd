import type { PRINTED_SOURCES } from '../../../shared/printing.ts';

/** A document that was printed to Faxdesk and waits to be sent or discarded. */
export interface PrintedDocumentTable {
  id: string;
  /** The person whose document it is; null until someone takes it. */
  owner_id: string | null;
  /** Way in which its pages came. */
  source: (typeof PRINTED_SOURCES)[number];
  /** Sealed name that the program gave it. */
  name: string;
  /** Sealed name of the account that printed it, which the computer reported; null where it reported none. */
  printed_by: string | null;
  /** Sealed number of the recipient that the program gave, as a person would type it; null for none. */
  to_number: string | null;
  /** Name in the storage. */
  artifact: string;
  /** Digest of the stored PDF. */
  sha256: string;
  size_bytes: number;
  pages: number;
  /** Digest of what was printed and by whom, by which a repeated print is recognized. */
  print_key: string;
  version: number;
  printed_at: string;
}

/** The printer of the installation: one row. */
export interface PrinterTable {
  id: number;
  /** UUID that computers recognize the printer by. */
  uuid: string;
  /** Number of the last job. */
  last_job: number;
}

/** The password with which a person prints from other computers. */
export interface PrintPasswordTable {
  person_id: string;
  /** Keyed hash. */
  hash: string;
  created_at: string;
}

export interface PrintingTables {
  print_password: PrintPasswordTable;
  printed_document: PrintedDocumentTable;
  printer: PrinterTable;
}
