import type { ReactNode, Ref } from 'react';
import type { DraftFile } from '../draft/draft.ts';
import type { PreviewState } from '../preview/preview-store.ts';

export interface DocumentsProps {
  readonly files: readonly DraftFile[];
  readonly preview: PreviewState;
  readonly onFiles: (files: readonly DraftFile[]) => void;
  readonly onAdd: (files: readonly File[]) => void;
  readonly chooseRef: Ref<HTMLButtonElement>;
  /** Notices about all documents together. */
  readonly children?: ReactNode;
}
