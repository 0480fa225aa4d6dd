import type { NewFileKey } from '../platform/file-cipher.ts';

export interface UploadFolder {
  readonly directory: string;
  /** A form with files begins to arrive. */
  expectUpload(): void;
  /** A key for a file that is written there; null when it is to be written as it is. */
  newKey(): NewFileKey | null;
  /** The present upload limit in bytes. */
  maxBytes(): number;
}
