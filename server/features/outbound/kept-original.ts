import type { FaxEdits } from '../../../shared/api/outbound-edits.ts';
import { describeEdits } from '../../../shared/page-edits.ts';
import type { JobRow } from './types.ts';

const SUFFIX = '-original.pdf';

/** Returns the name in the storage of the original of a fax whose pages were changed. */
export const originalArtifact = (jobId: string): string => `fax/${jobId}${SUFFIX}`;

/** Returns the name of the original beside a stored document. */
export const besideDocument = (artifact: string): string => artifact.replace(/\.pdf$/u, SUFFIX);

/** Returns the name of the document beside which an original is stored; the same name for another document. */
export const documentBeside = (artifact: string): string =>
  artifact.endsWith(SUFFIX) ? `${artifact.slice(0, -SUFFIX.length)}.pdf` : artifact;

/** Returns the ID of the fax whose original has a name; null for the name of another document. */
export function originalFaxOf(artifact: string): string | null {
  return artifact.endsWith(SUFFIX) ? artifact.slice('fax/'.length, -SUFFIX.length) : null;
}

/** Returns the changes to the pages of a fax or broadcast; null where it was sent as it was. */
export const editsOf = ({ page_edits }: Pick<JobRow, 'page_edits'>): FaxEdits | null =>
  page_edits === null ? null : (JSON.parse(page_edits) as FaxEdits);

/** Returns the sentence of the history on changed pages; null where none was changed. */
export function editsNote(edits: FaxEdits | undefined): string | null {
  if (!edits) return null;
  return `Pages were changed before sending: ${describeEdits(edits)}. The original is kept.`;
}
