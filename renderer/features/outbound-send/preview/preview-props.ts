import type { PreviewState, PreviewStore } from './preview-store.ts';

export interface PreviewPaneProps {
  readonly state: PreviewState;
  readonly previews: PreviewStore;
  /** No call is placed, so none takes its time. */
  readonly isCallFree: boolean;
  readonly cleanGreys: boolean;
  readonly onCleanGreys: (cleanGreys: boolean) => void;
}
