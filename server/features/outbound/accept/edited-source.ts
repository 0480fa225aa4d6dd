import type { FaxEdits } from '../../../../shared/api/outbound-edits.ts';
import { countEdits, type PageEdits } from '../../../../shared/page-edits.ts';
import type { DocumentSource, PreparedDocument } from '../../../documents/documents.ts';
import { sha256Hex } from '../../../platform/hash.ts';
import { editsForFiles, editsOfPreview } from '../errors.ts';

/** An uploaded file with the digest of what was sent. */
export type HashedSource = DocumentSource & { readonly digest: string };

/** Returns the files with the changes to their pages. Throws a 400 refusal unless there is one entry for each file. */
export function withEdits(
  sources: readonly HashedSource[],
  edits: PageEdits | null,
): readonly HashedSource[] {
  if (edits === null) return sources;
  if (sources.length === 0) throw editsOfPreview();
  if (edits.length !== sources.length) throw editsForFiles();
  return sources.map((source, i) => ({ ...source, edits: edits[i] ?? null }));
}

/** Returns true when pages of any of the files are changed. */
export const areEdited = (sources: readonly Pick<HashedSource, 'edits'>[]): boolean =>
  sources.some(({ edits }) => Boolean(edits));

/** Returns the same files without changes. */
export const unedited = (sources: readonly HashedSource[]): HashedSource[] =>
  sources.map(({ pictures: _placed, ...source }) => ({ ...source, edits: null }));

/** Returns the digest of a file as it is sent: the same file with other changes is another document. */
export function sentDigestOf({ digest, edits }: Pick<HashedSource, 'digest' | 'edits'>): string {
  return edits ? `${digest} ${sha256Hex(JSON.stringify(edits))}` : digest;
}

/**
 * Returns the changes in numbers, with the facts of the stored original; `sentPages` without a cover page, `signer` with the name
 * of the person who puts signatures and stamps on the pages.
 */
export function editFacts(
  sources: readonly Pick<HashedSource, 'edits'>[],
  { sha256, sizeBytes, pages }: Pick<PreparedDocument, 'sha256' | 'sizeBytes' | 'pages'>,
  { sentPages, signer }: { sentPages: number; signer: string },
): FaxEdits {
  const counts = countEdits(sources.map(({ edits }) => edits ?? null));
  return {
    original: { sha256, size_bytes: sizeBytes, pages },
    left_out: Math.max(pages - sentPages, 0),
    ...counts,
    signed_by: counts.signatures + counts.stamps > 0 ? signer : null,
  };
}
