/** What a store says of itself. */
export interface Installation {
  readonly id: string;
  /** Grows at each start and every hour; 0 until it stands in the storage as well. */
  readonly generation: number;
  /** What stood in the storage when the id was made. */
  readonly replaces: string | null;
}

/**
 * Why a store and the documents of a folder do not belong together: the store is `new`, `older` than the documents or of
 * `another` installation, or its documents are `elsewhere`.
 */
export type Mismatch = 'new' | 'older' | 'another' | 'elsewhere';

/** How long a document that no row names is kept. */
export const UNCLAIMED_DAYS = 30;
