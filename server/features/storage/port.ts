import type { ReadDb } from '../../db/database.ts';

/** A room whose rows name stored documents. */
export interface DocumentOwner {
  /** Prefix of the names of its documents, such as `fax/`. */
  readonly prefix: string;
  /** Returns those of the names that belong to a row. */
  findKept(db: ReadDb, names: readonly string[]): Promise<ReadonlySet<string>>;
  /** Returns true when any row names a document. */
  hasAny(db: ReadDb): Promise<boolean>;
}
