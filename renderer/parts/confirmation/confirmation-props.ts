import type { Fax } from '../fax-state.ts';

export interface ConfirmationQuestionProps {
  /** A fax in the state `reconciliation_required`. */
  readonly fax: Fax;
  /** The decision is recorded; the fax as it is now. */
  readonly onAnswered: (fax: Fax) => void;
  /** Somebody or something else decided in the meantime: the gateway's sentence. The fax is read again. */
  readonly onStale: (sentence: string) => void;
}
