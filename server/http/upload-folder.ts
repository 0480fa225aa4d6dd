export interface UploadFolder {
  readonly directory: string;
  /** The present upload limit in bytes. */
  mostBytes(): number;
}
