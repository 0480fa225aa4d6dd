import { useSyncExternalStore } from 'react';

/** A temporary password on the screen of the administrator who issued it. */
export interface ShownPassword {
  /** Id of the administrator; nobody else is shown it. */
  readonly issuerId: string;
  readonly person: { readonly id: string; readonly display_name: string; readonly login: string | null };
  readonly text: string;
  /** Sentences about parts of the request that were refused, such as a role. */
  readonly refused: readonly string[];
}

let shown: ShownPassword | null = null;
const listeners = new Set<() => void>();

/** Shows a password until it is dismissed. It is kept in memory alone: it outlives the lock, but no reload. */
export function showPassword(next: ShownPassword): void {
  shown = next;
  for (const notify of listeners) notify();
}

export function dismissPassword(): void {
  shown = null;
  for (const notify of listeners) notify();
}

/** Dismisses it when another person signs in on this page. */
export function dismissPasswordOfOthers(personId: string): void {
  if (shown !== null && shown.issuerId !== personId) dismissPassword();
}

/** Returns the password that this person issued and has not dismissed; null when there is none. */
export function useShownPassword(issuerId: string): ShownPassword | null {
  const now = useSyncExternalStore(subscribe, () => shown);
  return now?.issuerId === issuerId ? now : null;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
