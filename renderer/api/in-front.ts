import { useSyncExternalStore } from 'react';

const EVENTS = ['focus', 'blur', 'visibilitychange'] as const;

function subscribe(listener: () => void): () => void {
  for (const event of EVENTS) window.addEventListener(event, listener);
  return () => {
    for (const event of EVENTS) window.removeEventListener(event, listener);
  };
}

/** Returns true when this window is visible and has the focus. */
const isInFront = (): boolean => document.visibilityState === 'visible' && document.hasFocus();

export function useInFront(): boolean {
  return useSyncExternalStore(subscribe, isInFront);
}
