/** Limits of the things of one person: saved drafts, phrases, defaults, signatures and stamps. */
export const DESK_LIMITS = {
  drafts: 100,
  /** Bytes of the documents of all saved drafts of a person. */
  draftBytes: 500_000_000,
  /** Characters of the name of a draft. */
  draftName: 60,
  /** Characters of what the console writes in a draft beside its documents. */
  draftContent: 600_000,
  phrases: 200,
  phraseTitle: 60,
  phraseText: 2000,
  /** Characters below the name of the sender on a cover page. */
  signature: 300,
  /** Signatures and stamps of a person together. */
  pictures: 10,
  /** Characters of the name of a signature or stamp. */
  pictureName: 60,
  /** Bytes of an uploaded picture of a signature or stamp. */
  pictureBytes: 5_000_000,
  /** Most pixels of a signature or stamp as it is kept. */
  picturePixels: { width: 1200, height: 600 },
} as const;
