import { useSyncExternalStore } from 'react';

const KEY = 'faxdesk.text-size';

export const TEXT_SIZES = ['normal', 'large', 'larger'] as const;
type TextSize = (typeof TEXT_SIZES)[number];

/** Share of the normal size, as in the styles of the page. */
export const TEXT_SCALE: Readonly<Record<TextSize, number>> = { normal: 1, large: 1.125, larger: 1.25 };

let person: string | null = null;
/** Choice of the person for this page, where the browser keeps none. */
let present: TextSize = 'normal';
const listeners = new Set<() => void>();

/** Shows texts in the size of this person from now on; null for a page where no one is signed in. */
export function showTextSizeOf(personId: string | null): void {
  person = personId;
  show(personId === null ? 'normal' : (keptSizes()[personId] ?? 'normal'));
}

/** Keeps the choice for the person in this browser: screens differ from desk to desk. */
export function setTextSize(size: TextSize): void {
  show(size);
  if (person === null) return;
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...keptSizes(), [person]: size }));
  } catch {
    // It then lasts as long as the page.
  }
}

export const useTextSize = (): TextSize => useSyncExternalStore(subscribe, () => present);

function show(size: TextSize): void {
  present = size;
  document.documentElement.dataset['textSize'] = size;
  for (const listener of listeners) listener();
}

/** Sizes of the people of this browser, by id. */
function keptSizes(): Partial<Record<string, TextSize>> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    const kept = Object.entries(Object(stored)).filter(([, size]) => TEXT_SIZES.includes(size as TextSize));
    return Object.fromEntries(kept) as Record<string, TextSize>;
  } catch {
    return {};
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
