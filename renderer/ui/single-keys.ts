import { useSyncExternalStore } from 'react';

const KEY = 'faxdesk.single-keys-off';

/** People of this browser who switched them off, by id. */
function offFor(): readonly string[] {
  const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
  return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : [];
}

let person = '';
const listeners = new Set<() => void>();

/** Sets the person whose choice applies from now on. */
export function singleKeysOf(personId: string): void {
  person = personId;
  for (const listener of listeners) listener();
}

/** Returns true when shortcuts of one letter, digit or sign work, as the person chose in this browser. */
export function hasSingleKeys(): boolean {
  try {
    return !offFor().includes(person);
  } catch {
    return true;
  }
}

/** Keeps the choice for the person in this browser: keyboards and voice control differ from desk to desk. */
export function setSingleKeys(isOn: boolean): void {
  const others = offFor().filter((id) => id !== person);
  localStorage.setItem(KEY, JSON.stringify(isOn ? others : [...others, person]));
  for (const listener of listeners) listener();
}

/** Returns true for a shortcut of one letter, digit or sign, alone or with Shift. */
export const isSingleKey = (shortcut: string): boolean => /^(?:shift\+)?.$/u.test(shortcut);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useSingleKeys = (): boolean => useSyncExternalStore(subscribe, hasSingleKeys);
