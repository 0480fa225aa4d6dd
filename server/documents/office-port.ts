import type { OfficeType } from '../../shared/document-types.ts';

/** A document of a word processor that is to be converted. */
export interface OfficeFile {
  readonly path: string;
  readonly type: OfficeType;
  /** New and empty, for its owner alone; whoever gives it removes it with everything in it. */
  readonly folder: string;
}

/**
 * Path of the PDF below the folder, or the reason why there is none: no program was found, too many documents wait, it did not
 * end in time, or it made nothing of the document.
 */
export type OfficeResult =
  | { readonly pdf: string }
  | { readonly problem: 'missing' | 'busy' | 'late' | 'failed' };

/** Program that converts documents of word processors to PDF. */
export interface OfficeConverter {
  convert(file: OfficeFile): Promise<OfficeResult>;
  /** Path of the program; null where none is found. */
  find(): Promise<string | null>;
  /** Ends what runs. */
  close(): Promise<void>;
}
