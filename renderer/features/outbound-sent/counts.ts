import { LIMITS } from '../../../shared/limits.ts';
import type { DeliveryState } from '../../../shared/states/outbound.ts';

type StateCounts = Readonly<Record<DeliveryState, number>>;
export type Counts = {
  readonly all: StateCounts;
  readonly mine: StateCounts;
  /** Faxes that wait for their time. */
  readonly scheduled: { readonly all: number; readonly mine: number };
};

/** Number of faxes, undefined until it is loaded; there may be more of them when it reaches `most`. */
export interface FaxCount {
  readonly count: number | undefined;
  readonly most: number;
}

/** Adds up the counts of states, or of all where none is named. */
export function countOf(counts: StateCounts | undefined, named: readonly DeliveryState[]): FaxCount {
  if (!counts) return { count: undefined, most: LIMITS.counted };
  const states = named.length === 0 ? (Object.keys(counts) as DeliveryState[]) : named;
  const count = states.reduce((sum, state) => sum + counts[state], 0);
  const isCut = states.some((state) => counts[state] >= LIMITS.counted);
  return { count, most: isCut ? count : Number.POSITIVE_INFINITY };
}

/** Returns the number of faxes that wait for their time. */
export function scheduledOf(counts: Counts | undefined, isMine: boolean): FaxCount {
  return { count: counts?.scheduled[isMine ? 'mine' : 'all'], most: Number.POSITIVE_INFINITY };
}
