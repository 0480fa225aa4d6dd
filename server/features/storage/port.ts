import type { ReadDb } from '../../db/database.ts';

/** A room whose rows name stored documents. */
export interface DocumentOwner {
  /** What the names of its documents begin with, such as `fax/`. */
  readonly prefix: string;
  /** Those of the names that belong to a row. */
  kept(db: ReadDb, names: readonly string[]): Promise<ReadonlySet<string>>;
  /** Whether any row names a document. */
  any(db: ReadDb): Promise<boolean>;
}
