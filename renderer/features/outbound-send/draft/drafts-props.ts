import type { Draft } from './draft.ts';
import type { SavedDraft } from './draft-database.ts';
import type { DraftStore } from './draft-store.ts';

export interface DraftsProps {
  readonly drafts: DraftStore;
  readonly draft: Draft;
  readonly saved: readonly SavedDraft[];
  /** While the fax is handed over its draft stays where it is. */
  readonly isDisabled: boolean;
  /** Another draft is on the form now. */
  readonly onSwitched: () => void;
}
