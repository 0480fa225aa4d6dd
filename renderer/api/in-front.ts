import { useSyncExternalStore } from 'react';

const EVENTS = ['focus', 'blur', 'visibilitychange'] as const;

function subscribe(listener: () => void): () => void {
  for (const event of EVENTS) window.addEventListener(event, listener);
  return () => {
    for (const event of EVENTS) window.removeEventListener(event, listener);
  };
}

/** Whether a person has this window before them: in sight, and the one they work in. */
export const isInFront = (): boolean => document.visibilityState === 'visible' && document.hasFocus();

export function useInFront(): boolean {
  return useSyncExternalStore(subscribe, isInFront);
}
