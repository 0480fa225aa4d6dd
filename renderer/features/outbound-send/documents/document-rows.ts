import { type DraftFile, titleOf } from '../../../parts/draft-files.ts';
import type { PreviewState } from '../../../parts/previews/preview-store.ts';

/** A document as its row shows it. */
export interface DocumentRow {
  readonly id: string;
  readonly file: DraftFile;
  readonly title: string;
  /** Pages counted; null until they are. */
  readonly pages: number | null;
  /** Of these, drawn already. */
  readonly read: number;
  /** Of the upload, 0 to 1; null when it is there. */
  readonly uploaded: number | null;
  readonly refusal: string | null;
  readonly isEdited: boolean;
}

/** Returns the files of the draft with the details loaded so far. */
export function rowsOf(
  files: readonly DraftFile[],
  preview: PreviewState,
  edited: string | null,
): readonly DocumentRow[] {
  const isUploading = preview.phase === 'uploading';
  const going = files.filter(({ id }) => !preview.refused.has(id));
  const parts = isUploading ? partsOf(going, preview.part) : new Map<string, number>();
  return files.map((file) => ({
    id: file.id,
    file,
    title: titleOf(file),
    ...pagesOf(file.id, preview),
    uploaded: parts.get(file.id) ?? null,
    refusal: preview.refused.get(file.id) ?? null,
    isEdited: edited === file.id,
  }));
}

/** They are uploaded in order, so each has its share of the whole. */
function partsOf(files: readonly DraftFile[], part: number): Map<string, number> {
  const total = files.reduce((sum, file) => sum + file.content.size, 0);
  let left = total * part;
  return new Map(
    files.map(({ id, content }) => {
      const own = Math.min(Math.max(left / content.size, 0), 1);
      left -= content.size;
      return [id, own];
    }),
  );
}

function pagesOf(id: string, { preview, files }: PreviewState): { pages: number | null; read: number } {
  const index = files.indexOf(id);
  const document = preview?.documents[index];
  if (!preview || !document) return { pages: null, read: 0 };
  const before = preview.documents.slice(0, index).reduce((sum, it) => sum + it.pages, 0);
  return { pages: document.pages, read: Math.min(Math.max(preview.drawn - before, 0), document.pages) };
}
