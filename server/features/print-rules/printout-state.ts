import type { PrintState } from '../../../shared/states/print-rules.ts';

/**
 * Allowed state changes of a printout. Only a person returns one from `doubtful`, `failed` or `canceled` to `waiting`; a
 * waiting one becomes doubtful only when an older store was restored.
 */
const NEXT: Readonly<Record<PrintState, readonly PrintState[]>> = {
  waiting: ['waiting', 'submitting', 'failed', 'doubtful', 'canceled'],
  submitting: ['submitting', 'waiting', 'accepted', 'printed', 'given', 'doubtful', 'failed'],
  accepted: ['accepted', 'printed', 'given', 'doubtful', 'failed'],
  doubtful: ['printed', 'waiting', 'doubtful', 'canceled'],
  failed: ['printed', 'waiting', 'failed', 'canceled'],
  canceled: ['canceled', 'waiting'],
  printed: ['printed'],
  given: ['given'],
};

export const mayBecome = (from: PrintState, to: PrintState): boolean => NEXT[from].includes(to);

/** Thrown for a change that the table of states does not allow: a bug. */
export class ForbiddenPrintStateError extends Error {
  override name = 'ForbiddenPrintStateError';
}
