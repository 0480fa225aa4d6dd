import { useSyncExternalStore } from 'react';

/** The tour was begun in this window, and its step has not had the keyboard yet. */
let isStarting = false;
const listeners = new Set<() => void>();

function change(to: boolean): void {
  if (isStarting === to) return;
  isStarting = to;
  for (const listener of listeners) listener();
}

/** Marks the tour as just begun: the keyboard goes to its step and not to the screen below. */
export const startTour = (): void => change(true);

/** Ends the start, when the step has the keyboard. */
export const tourHasStarted = (): void => change(false);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useTourStarts = (): boolean => useSyncExternalStore(subscribe, () => isStarting);
