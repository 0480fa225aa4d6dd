/** What an image is, by whatever path or call it is named. */
export interface ImageIdentity {
  readonly device: string;
  readonly inode: string;
  readonly sha256: string;
}
