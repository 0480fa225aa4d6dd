import type { ErrorCategory, WaitsFor } from '../../../../shared/states/outbound.ts';
import type { CallLimits } from '../../contacts/line-memory-port.ts';
import type { TransportReport } from '../transport-port.ts';
import type { AttemptRow, HoursWait, JobRow } from '../types.ts';

/** State of a fax for a transition. */
export interface Fax {
  readonly job: JobRow;
  /** The newest one; null while there is none. */
  readonly attempt: AttemptRow | null;
}

/** A fax with an attempt of it: its newest, or an earlier one where that is said. */
export type AttemptedFax = Fax & { readonly attempt: AttemptRow };

/** Names of the provider and the next route, for use within a sentence. */
export interface Names {
  readonly provider: string;
  /** Name of the next route; null where there is none or it is unknown. */
  readonly next: string | null;
}

/** Everything that can happen to an accepted fax. */
export type Fact =
  /** A person lets a held fax go. */
  | { readonly kind: 'released' }
  /** Held after a restore, when nothing leaves automatically, or by a spending limit (`byLimit`). */
  | { readonly kind: 'held'; readonly text: string; readonly byLimit?: true }
  | { readonly kind: 'cancelled' }
  /** A person moves a scheduled fax to another time; null: now. */
  | {
      readonly kind: 'rescheduled';
      readonly times: Pick<JobRow, 'send_at' | 'send_by' | 'send_when'> & HoursWait;
      readonly text: string;
    }
  /** Its time has come outside the hours in which it may be sent, or these hours were changed; null: they are open. */
  | ({ readonly kind: 'hours' } & HoursWait)
  /** No attempt began by its latest time. */
  | { readonly kind: 'too_late'; readonly sentence: string }
  /** Its time has come and there is no line for it. */
  | { readonly kind: 'waits'; readonly for: WaitsFor }
  /** A dispatch takes the fax on, under a new attempt or under the one from which nothing was sent. */
  | { readonly kind: 'begun'; readonly attempt: AttemptRow; readonly isNew: boolean }
  /** Sending was switched off before anything was sent. */
  | { readonly kind: 'switched_off' }
  /** The call that it was to go in is not made; nothing was sent. */
  | { readonly kind: 'put_back' }
  /** It cannot go in one call with other faxes; nothing was sent. */
  | { readonly kind: 'parted' }
  /** From here on a byte may reach the transport; `limits` of a call on a line of ours, else null. */
  | { readonly kind: 'submitting'; readonly limits: CallLimits | null }
  /** The document cannot be read at present, for a reason that lies around it. */
  | { readonly kind: 'unreadable'; readonly sentence: string }
  /** The document is not there, or not the one that was accepted: found twice in a row, no step can be taken. */
  | { readonly kind: 'unsendable'; readonly sentence: string }
  /** Certain: nothing was taken; the same step is tried again. */
  | {
      readonly kind: 'try_later';
      readonly sentence: string;
      readonly category: ErrorCategory;
      /** Pause that the transport requested, in ms; null when it named none. */
      readonly retryAfterMs: number | null;
    }
  /** Certain: nothing was taken, and this step never will be. */
  | { readonly kind: 'not_accepted'; readonly sentence: string; readonly category: ErrorCategory }
  /** The transport accepted the fax, or reports its state. */
  | { readonly kind: 'reported'; readonly report: TransportReport }
  /** An attempt before the newest one was delivered after all: `who` reported it, at the beginning of a sentence. */
  | { readonly kind: 'arrived'; readonly who: string; readonly reference: string }
  /** The outcome is unknown: a person decides. */
  | {
      readonly kind: 'unknown';
      readonly reason: string;
      readonly category: ErrorCategory | null;
      /** The transport's ID of the fax, where it returned one. */
      readonly reference?: string;
      /** Pages that arrived by the transport's count, where it reported one. */
      readonly pages?: number | null;
    }
  /** The worker that had the fax is gone. */
  | { readonly kind: 'worker_lost' }
  /** The transport has reported no outcome for too long. */
  | { readonly kind: 'silent' }
  /** A person decides about a fax that needs confirmation. */
  | {
      readonly kind: 'decided';
      readonly outcome: 'success' | 'failed';
      readonly note: string;
      /** Pages of a failed fax that arrived, counted from the first; null while unknown. */
      readonly pagesArrived?: number | null;
      readonly by: string;
    }
  /** A person could not reach the recipient; they are asked again at `askAgainAt`, ISO 8601 UTC. */
  | { readonly kind: 'not_reached'; readonly askAgainAt: string; readonly text: string }
  /** The time has come to ask a person again whether it arrived. */
  | { readonly kind: 'asks_again' }
  /** The transport stopped the fax at a person's request. */
  | { readonly kind: 'stopped'; readonly by: string };

export type FactKind = Fact['kind'];
