import { useSyncExternalStore } from 'react';

const wideLayout = window.matchMedia('(min-width: 1200px)');

function subscribe(listener: () => void): () => void {
  wideLayout.addEventListener('change', listener);
  return () => wideLayout.removeEventListener('change', listener);
}

/** Returns true when list, pages and details fit beside each other. */
export function useWideLayout(): boolean {
  return useSyncExternalStore(subscribe, () => wideLayout.matches);
}
