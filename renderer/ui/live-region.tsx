import { useSyncExternalStore } from 'react';

/** Long enough to be read out. A message that stayed would be read again later, out of context. */
const STAYS_MS = 5_000;
const NOTHING = { polite: '', assertive: '' };

let messages = NOTHING;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

/** Announces a sentence to screen readers without moving the focus. */
export function announce(sentence: string, how: 'polite' | 'assertive' = 'polite'): void {
  // The same sentence twice is a change only when its text differs.
  const text = messages[how] === sentence ? `${sentence}\u00a0` : sentence;
  set({ ...messages, [how]: text });
  timer = setTimeout(silence, STAYS_MS);
}

/** Clears the messages, when another screen begins or another person may come. */
export function silence(): void {
  if (messages !== NOTHING) set(NOTHING);
}

function set(next: typeof messages): void {
  clearTimeout(timer);
  messages = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Stands once in the page, empty to the eye. The attribute keeps it audible while a dialog is open. */
export function LiveRegion() {
  const { polite, assertive } = useSyncExternalStore(subscribe, () => messages);
  return (
    <div className="visually-hidden" data-live-announcer="true">
      <div role="status">{polite}</div>
      <div role="alert">{assertive}</div>
    </div>
  );
}
