import { useSyncExternalStore } from 'react';

let said = { polite: '', assertive: '' };
const listeners = new Set<() => void>();

/** Says a sentence to readers without moving the focus. */
export function announce(sentence: string, how: 'polite' | 'assertive' = 'polite'): void {
  // The same sentence twice is a change only when its text differs.
  const text = said[how] === sentence ? `${sentence}\u00a0` : sentence;
  said = { ...said, [how]: text };
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Stands once in the page, empty to the eye. */
export function LiveRegion() {
  const { polite, assertive } = useSyncExternalStore(subscribe, () => said);
  return (
    <div className="visually-hidden">
      <div role="status">{polite}</div>
      <div role="alert">{assertive}</div>
    </div>
  );
}
