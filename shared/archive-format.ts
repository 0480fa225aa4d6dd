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
  /** Entries of the security audit. */
  audit_entries: Count,
  /** Faxes of the span that are not finished, or whose work is not done. */
  left_out: Count,
  /** Documents that could not be read, or that were deleted before. */
  without_document: Count,
  /** Documents that are not what was recorded when they were sent or received. */
  altered_documents: Count,
});
export type ArchiveManifest = z.infer<typeof ArchiveManifest>;

const Facts = z.record(z.string(), z.unknown());

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
  /** Of a sent fax whose pages were changed, as it was before; of a received one, what its pages carried. Null for none. */
  original: ArchivedDocument.nullable(),
  fax: Facts,
  history: z.array(Facts),
  /** Of a sent fax, oldest first. */
  attempts: z.array(Facts),
  /** Entries of the call log. */
  calls: z.array(Facts),
  /** E-mails with a received fax, each with its recipients. */
  emails: z.array(Facts),
  /** Printouts of a received fax; archives of earlier releases have none. */
  printouts: z.array(Facts).default([]),
  work: z.strictObject({ item: Facts, history: z.array(Facts) }).nullable(),
  /** Digests of the records when the archive was made: a fax with others has changed since. `work` is null without an item. */
  revision: z.strictObject({ fax: z.string(), work: z.string().nullable() }),
});
export type ArchivedFax = z.infer<typeof ArchivedFax>;

/** Faxes of one list: a list is made in memory before it is written. */
export const FAXES_OF_LIST = 500;

/** Returns the name of a list of faxes, which are numbered from 1. */
export const listName = (direction: 'sent' | 'received', number: number): string =>
  `${direction}-${String(number).padStart(5, '0')}.jsonl`;

/** Returns the name of a list of entries of the security audit, which are numbered from 1. */
export const auditListName = (number: number): string => `audit-${String(number).padStart(5, '0')}.jsonl`;

/** Returns true for the name of the document of a fax, not of an original. */
export const isDocumentName = (name: string): boolean => /^(?:sent|received)-[0-9a-f-]+\.pdf$/u.test(name);

/** Returns true for a name that `listName` gives. */
export const isListName = (name: string): boolean => /^(?:sent|received)-\d{5,}\.jsonl$/u.test(name);
