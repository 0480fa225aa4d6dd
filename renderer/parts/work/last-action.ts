import { useSyncExternalStore } from 'react';
import type { WorkItem } from '../../api/work.ts';

/** So long a person can take back what they did; the gateway judges by its own clock. */
const UNDO_MS = 10_000;

/** Last action of this person in this window, as long as it can be undone. */
export interface LastAction {
  /** Description of the action for people. */
  readonly sentence: string;
  /** The items it was done to: "the fax from …", "3 items". */
  readonly what: string;
  /** As they are since. */
  readonly items: readonly Pick<WorkItem, 'id' | 'version'>[];
}

let last: LastAction | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

/** Offers to undo it for ten seconds, in place of what was done before; null takes the offer away. */
export function rememberAction(act: LastAction | null): void {
  clearTimeout(timer);
  last = act;
  if (act !== null) timer = setTimeout(() => rememberAction(null), UNDO_MS);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const lastAction = (): LastAction | null => last;

export const useLastAction = (): LastAction | null => useSyncExternalStore(subscribe, () => last);
