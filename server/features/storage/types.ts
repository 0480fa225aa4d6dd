/** Identity of a store. */
export interface Installation {
  readonly id: string;
  /** Grows at each start and every hour; 0 until it is written to the storage as well. */
  readonly generation: number;
  /** Id of the installation found in the storage when this one was made; null for none. */
  readonly replaces: string | null;
  /** Address of the bucket in which documents are; null while none are in one. */
  readonly bucket: string | null;
}

/**
 * Reason why a store and the documents of a folder do not belong together: the store is `new`, `older` than the
 * documents or of `another` installation, or its documents are `elsewhere`.
 */
export type Mismatch = 'new' | 'older' | 'another' | 'elsewhere';

/** Days for which a document that no row names is kept. */
export const UNCLAIMED_DAYS = 30;
