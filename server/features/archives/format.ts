import { z } from 'zod';

/** First version of the format: the files of an archive and what is in them. */
export const ARCHIVE_FORMAT = 'faxdesk-archive/1';

export const ARCHIVE_FILES = {
  manifest: 'manifest.json',
  publicKey: 'signing-key.pem',
  sums: 'SHA256SUMS',
  signature: 'SHA256SUMS.sig',
} as const;

const Count = z.number().int().min(0);

export const ArchiveManifest = z.strictObject({
  format: z.literal(ARCHIVE_FORMAT),
  /** Month of the year; null for the whole year. */
  year: z.number().int(),
  month: z.number().int().nullable(),
  /** Span in ISO 8601 UTC: from `since` until before `until`. */
  since: z.string(),
  until: z.string(),
  created_at: z.string(),
  created_by: z.string(),
  sent: Count,
  received: Count,
  /** Faxes of the span that are not finished, or whose work is not done. */
  left_out: Count,
  /** Documents that could not be read, or that were deleted before. */
  without_document: Count,
  /** Documents that are not what was recorded when they were sent or received. */
  altered_documents: Count,
});
export type ArchiveManifest = z.infer<typeof ArchiveManifest>;

/** Reference from a fax to its document in the archive. */
const ArchivedDocument = z.strictObject({ file: z.string(), sha256: z.string(), size_bytes: Count });

/** A line of the lists of faxes. Its fax and its histories are as the API showed them. */
export const ArchivedFax = z.strictObject({
  direction: z.enum(['sent', 'received']),
  id: z.string(),
  at: z.string(),
  number: z.string(),
  /** Null when it could not be read, or was deleted before. */
  document: ArchivedDocument.nullable(),
  fax: z.record(z.string(), z.unknown()),
  history: z.array(z.record(z.string(), z.unknown())),
  work: z
    .strictObject({
      item: z.record(z.string(), z.unknown()),
      history: z.array(z.record(z.string(), z.unknown())),
    })
    .nullable(),
});
export type ArchivedFax = z.infer<typeof ArchivedFax>;

/** Faxes of one list: a list is made in memory before it is written. */
export const FAXES_OF_LIST = 500;

/** Returns the name of a list of faxes, which are numbered from 1. */
export const listName = (direction: 'sent' | 'received', number: number): string =>
  `${direction}-${String(number).padStart(5, '0')}.jsonl`;

/** Returns true for a name that `listName` gives. */
export const isListName = (name: string): boolean => /^(?:sent|received)-\d{5}\.jsonl$/u.test(name);
