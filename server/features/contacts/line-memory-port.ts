import type { CallMode } from '../../../shared/states/telephony.ts';

/** Features that a call on our own line leaves out, because earlier calls to its number succeeded only without them. */
export interface CallLimits {
  readonly withoutT38: boolean;
  readonly withoutEcm: boolean;
  /** Highest speed in bits per second; null for the highest that the line can do. */
  readonly mostRate: number | null;
}

/** A call with the best settings of the line. */
export const NO_LIMITS: CallLimits = { withoutT38: false, withoutEcm: false, mostRate: null };

/** Obstacle to the transfer of the pages, between the two machines. */
export type CallTrouble =
  /** The other side did not switch to T.38; also where it hung up meanwhile. */
  | 't38'
  /** The machines found no speed. */
  | 'training'
  /** Error correction broke off. */
  | 'ecm'
  /** Pages were not transmitted, or were not confirmed. */
  | 'pages';

/** Result of a call on our own line for the line memory of its number. */
export interface LineResult {
  /** Best settings of the line; `mostRate` is its highest speed in bits per second. */
  readonly best: { readonly t38: boolean; readonly ecm: boolean; readonly mostRate: number };
  /** Mode in which the pages were sent; null where it is unknown. */
  readonly mode: CallMode | null;
  /** Null: every page arrived. */
  readonly trouble: CallTrouble | null;
}
