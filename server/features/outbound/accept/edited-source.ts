import { countEdits, type PageEdits } from '../../../../shared/page-edits.ts';
import { sha256Hex } from '../../../platform/hash.ts';
import { editsForFiles, editsOfPreview } from '../errors.ts';
import type { DocumentFacts, UploadedSource } from './sent-document.ts';

/** Returns the files with the changes to their pages. Throws a 400 refusal unless there is one entry for each file. */
export function withEdits(
  sources: readonly UploadedSource[],
  edits: PageEdits | null,
): readonly UploadedSource[] {
  if (edits === null) return sources;
  if (sources.length === 0) throw editsOfPreview();
  if (edits.length !== sources.length) throw editsForFiles();
  return sources.map((source, i) => ({ ...source, edits: edits[i] ?? null }));
}

/** Returns true when pages of any of the files are changed. */
export const areEdited = (sources: readonly Pick<UploadedSource, 'edits'>[]): boolean =>
  sources.some(({ edits }) => Boolean(edits));

/** Returns the same files without changes. */
export const unedited = (sources: readonly UploadedSource[]): UploadedSource[] =>
  sources.map(({ edits: _, ...source }) => source);

/** Returns the digest of a file as it is sent: the same file with other changes is another document. */
export function sentDigestOf({ digest, edits }: Pick<UploadedSource, 'digest' | 'edits'>): string {
  return edits ? `${digest} ${sha256Hex(JSON.stringify(edits))}` : digest;
}

/** Returns the changes in numbers, with the facts of the stored original. */
export function editFacts(
  sources: readonly Pick<UploadedSource, 'edits'>[],
  original: DocumentFacts,
): NonNullable<DocumentFacts['edits']> {
  const { sha256, sizeBytes, pages } = original;
  return {
    original: { sha256, size_bytes: sizeBytes, pages },
    ...countEdits(sources.map(({ edits }) => edits ?? null)),
  };
}
