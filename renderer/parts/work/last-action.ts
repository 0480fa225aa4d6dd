import { useSyncExternalStore } from 'react';
import { forgetWithPerson } from '../../api/person-memory.ts';
import type { WorkItem } from '../../api/work.ts';

/** So long a person can take back what they did; the gateway judges by its own clock. */
const UNDO_MS = 10_000;

/** So long it is said that it cannot be undone any more. */
const OVER_MS = 20_000;

/** Last action of this person in this window, as long as it can be undone and a while after. */
export interface LastAction {
  /** Description of the action for people. */
  readonly sentence: string;
  /** The items it was done to: "the fax from …", "3 items". */
  readonly what: string;
  /** As they are since. */
  readonly items: readonly Pick<WorkItem, 'id' | 'version'>[];
  /** Undoes it where it was more than an action on the items; throws what the gateway refuses. */
  readonly undo?: () => Promise<void>;
  /** True once it cannot be undone any more. */
  readonly isOver?: boolean;
}

let last: LastAction | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

/** Offers to undo it for ten seconds, in place of what was done before; null takes the offer away. */
export function rememberAction(act: LastAction | null): void {
  set(act);
  if (act !== null) timer = setTimeout(() => end(act), UNDO_MS);
}

forgetWithPerson(() => rememberAction(null));

function end(act: LastAction): void {
  set({ ...act, isOver: true });
  timer = setTimeout(() => set(null), OVER_MS);
}

function set(next: LastAction | null): void {
  clearTimeout(timer);
  last = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const lastAction = (): LastAction | null => last;

export const useLastAction = (): LastAction | null => useSyncExternalStore(subscribe, () => last);
