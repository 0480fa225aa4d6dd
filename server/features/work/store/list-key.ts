import type { WorkState } from '../../../../shared/states/work.ts';
import { epochOf } from '../../../platform/clock.ts';
import type { ItemRow } from '../types.ts';
import { stateOf } from '../work-state.ts';

const RANKS: Readonly<Record<WorkState, number>> = { open: 0, acknowledged: 1, done: 2 };
const DIGITS = 13;
const LATEST = 10 ** DIGITS - 1;

const digits = (epochMs: number) => String(epochMs).padStart(DIGITS, '0');

/**
 * Returns the sort key of an item in every list: open, acknowledged, done; then what is due first; then the newest.
 * Text of digits, so that one index gives the order on either database, and a part of it is a range.
 */
export function listKey(
  item: Pick<ItemRow, 'id' | 'state_key' | 'due_at' | 'awaited_until' | 'missed_at' | 'available_at'>,
): string {
  const state = stateOf(item.state_key);
  const due = dueOf(item, state);
  const newest = digits(LATEST - epochOf(item.available_at));
  return `${RANKS[state]}${due === null ? LATEST : digits(epochOf(due))}${newest}${item.id}`;
}

/** Returns the id of the item that a key belongs to. */
export function idIn(key: string): string {
  return key.slice(1 + DIGITS + DIGITS);
}

/**
 * Returns the due time for the order of the list; null for a done item, and for one reopened after it was acknowledged
 * or done in time.
 */
function dueOf({ due_at, awaited_until, missed_at }: Parameters<typeof listKey>[0], state: WorkState) {
  if (state === 'done') return null;
  if (state === 'acknowledged') return due_at;
  return missed_at === null ? awaited_until : due_at;
}

/** Range of keys, the second one excluded. */
export type KeyRange = readonly [string, string];

/** The keys of these states, in as few ranges as there are. */
export function rangesOf(states: readonly WorkState[]): KeyRange[] {
  const ranges: [string, string][] = [];
  const ranks = new Set(states.map((state) => RANKS[state]));
  for (const rank of [0, 1, 2].filter((one) => ranks.has(one))) {
    const last = ranges.at(-1);
    if (last?.[1] === String(rank)) last[1] = String(rank + 1);
    else ranges.push([String(rank), String(rank + 1)]);
  }
  return ranges;
}

/** The keys of open items whose due time was not met by then. */
export function overdueRange(now: string): KeyRange {
  return [String(RANKS.open), `${RANKS.open}${digits(epochOf(now) + 1)}`];
}
