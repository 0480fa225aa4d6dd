import { useSyncExternalStore } from 'react';

/** Help page over what is open; null while none is shown. */
let shown: string | null = null;
const listeners = new Set<() => void>();

/** Shows a help page over the page or dialog that is open, which keeps what was typed; null closes it. */
export function showHelp(page: string | null): void {
  shown = page;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useShownHelp = (): string | null => useSyncExternalStore(subscribe, () => shown);
