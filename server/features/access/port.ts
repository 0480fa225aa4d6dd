import type { ReadDb } from '../../db/database.ts';

/** A document on which a role can be given. */
export interface DocumentName {
  /** For a person, e.g. `Fax of 21 Nov 2026 from +1 202 555 0199`. */
  readonly name: string;
  /** A grant on its mailbox covers it. */
  readonly mailboxId: string | null;
}

/** Lookup of received documents, needed by this room. */
export interface DocumentNames {
  /** Finds the existing documents, by ID. Works inside a transaction. */
  find(db: ReadDb, ids: readonly string[]): Promise<ReadonlyMap<string, DocumentName>>;
}
