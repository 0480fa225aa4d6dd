import type { DocumentContent } from '../../documents/documents.ts';

/** A page on its way to the disk. */
export interface PageFile {
  /** Errors of the file system keep their code (`ENOSPC`). */
  add(chunk: Buffer): Promise<void>;
  end(): Promise<void>;
  close(): Promise<void>;
  readonly content: DocumentContent;
  /** Removes the file where nobody moved it away. */
  discard(): Promise<void>;
}

/** A scan of a person: its pages are on the disk, all else is in memory. */
export interface Scan {
  readonly id: string;
  readonly ownerId: string;
  readonly url: string;
  readonly pages: PageFile[];
  bytes: number;
  /** Ends the run of the scanner; null while none is under way. */
  run: AbortController | null;
  /** Reason why the last run ended early, as a sentence; null when it did not. */
  problem: string | null;
  /** Last use, epoch ms. */
  usedAt: number;
}
