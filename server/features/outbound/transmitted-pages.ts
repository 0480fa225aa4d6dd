import type { AttemptRow, JobRow } from './types.ts';

/** Columns of a fax about its encoded pages. */
export type EncodedFacts = Pick<
  JobRow,
  'encoded_mode' | 'encoded_sha256' | 'encoded_size' | 'encoded_pages' | 'encoded_seconds'
>;

export const NOT_ENCODED: EncodedFacts = {
  encoded_mode: null,
  encoded_sha256: null,
  encoded_size: null,
  encoded_pages: null,
  encoded_seconds: null,
};

const SUFFIX = '-encoded.pdf';

/** Returns the name in the storage of the encoded pages of a fax. */
export const encodedArtifact = (jobId: string): string => `fax/${jobId}${SUFFIX}`;

/** Returns the ID of the fax whose encoded pages have a name; null for the name of another document. */
export function encodedFaxOf(artifact: string): string | null {
  return artifact.endsWith(SUFFIX) ? artifact.slice('fax/'.length, -SUFFIX.length) : null;
}

/** Returns the number of pages that an attempt sends: those of the document, or the encoded ones that carry it. */
export function transmittedPages(
  { document_pages }: Pick<JobRow, 'document_pages'>,
  attempt: Pick<AttemptRow, 'encoded_pages'> | null,
): number {
  return attempt?.encoded_pages ?? document_pages;
}

/** Returns the number of pages that a call of a fax sends that has not begun. */
export function plannedPages({
  encoded_pages,
  document_pages,
}: Pick<JobRow, 'encoded_pages' | 'document_pages'>): number {
  return encoded_pages ?? document_pages;
}
