import { useSyncExternalStore } from 'react';

const roomy = window.matchMedia('(min-width: 1200px)');

function subscribe(listener: () => void): () => void {
  roomy.addEventListener('change', listener);
  return () => roomy.removeEventListener('change', listener);
}

/** Returns true when list, pages and details fit beside each other. */
export function useRoomy(): boolean {
  return useSyncExternalStore(subscribe, () => roomy.matches);
}
