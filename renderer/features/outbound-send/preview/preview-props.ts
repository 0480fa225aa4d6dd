import type { PreviewState, PreviewStore } from './preview-store.ts';

export interface PreviewPaneProps {
  readonly state: PreviewState;
  readonly previews: PreviewStore;
  readonly cleanGreys: boolean;
  readonly onCleanGreys: (cleanGreys: boolean) => void;
}
