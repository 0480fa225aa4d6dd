import type { PrintState } from '../../../shared/states/print-rules.ts';
import type { IconName } from '../../ui/icon.tsx';
import type { Tone } from '../../ui/state-word.tsx';

/** Tone and icon of each state of a printout, shown beside its word. */
export const PRINT_SIGNS: Readonly<Record<PrintState, { readonly tone: Tone; readonly icon: IconName }>> = {
  waiting: { tone: 'plain', icon: 'pending' },
  submitting: { tone: 'go', icon: 'going' },
  accepted: { tone: 'go', icon: 'print' },
  printed: { tone: 'ok', icon: 'ok' },
  given: { tone: 'plain', icon: 'ok' },
  doubtful: { tone: 'warn', icon: 'question' },
  failed: { tone: 'danger', icon: 'alert' },
  canceled: { tone: 'plain', icon: 'close' },
};
