import type { FaxHistoryKind } from '../../../../shared/history-kinds.ts';
import type { DeliveryState } from '../../../../shared/states/outbound.ts';
import type { AttemptFacts, AttemptRow, JobFacts } from '../types.ts';

export type BusinessEvent = 'job_created' | 'job_dispatch' | 'job_updated' | 'job_failed';

/** Effects of a fact on fax, attempt, history and queue, to be recorded together or not at all. */
export interface Change {
  /** The states the fax passes, each a change the table allows; empty when it stays where it is. */
  readonly moves: readonly DeliveryState[];
  readonly facts: JobFacts;
  readonly attempt: AttemptFacts | null;
  /** An attempt that begins with this change. */
  readonly begins: AttemptRow | null;
  /** `once`: an entry that the history already contains is not written again. */
  readonly history: { readonly kind: FaxHistoryKind; readonly text: string; readonly once?: true } | null;
  /** For log and audit; null for a change that only consoles receive. */
  readonly event: BusinessEvent | null;
  /**
   * `replan`: scheduled jobs are withdrawn and scheduled anew; `try_again`: as a new fax, where the settings allow it.
   */
  readonly queue: 'dispatch' | 'poll' | 'withdraw' | 'replan' | 'try_again' | 'ask_again' | null;
}

/** A change that writes only what is named. */
export function change(parts: Partial<Change>): Change {
  const nothing = {
    moves: [],
    facts: {},
    attempt: null,
    begins: null,
    history: null,
    event: null,
    queue: null,
  };
  return { ...nothing, ...parts };
}
