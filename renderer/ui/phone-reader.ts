import { useSyncExternalStore } from 'react';
import type * as rules from './phone-rules.ts';

/** Reads and writes phone numbers by the rules of all countries. */
export type PhoneReader = typeof rules;

let reader: PhoneReader | null = null;
let loading: Promise<void> | null = null;
let idle: Promise<void> | null = null;
const listeners = new Set<() => void>();

/** The rules are large, so they do not come with the first picture. */
async function load(): Promise<void> {
  try {
    reader = await import('./phone-rules.ts');
    for (const listener of listeners) listener();
  } catch {
    // When the gateway is away, the next screen asks again.
    loading = null;
    idle = null;
  }
}

function now(listener: () => void): () => void {
  listeners.add(listener);
  loading ??= load();
  return () => listeners.delete(listener);
}

function whenIdle(listener: () => void): () => void {
  listeners.add(listener);
  idle ??= new Promise<void>((resolve) => requestIdleCallback(() => resolve(), { timeout: 1_000 })).then(
    () => (loading ??= load()),
  );
  return () => listeners.delete(listener);
}

/** Null until the rules are there. */
export function usePhoneReader(): PhoneReader | null {
  return useSyncExternalStore(now, () => reader);
}

/** As {@link usePhoneReader}, for what can be shown without them: they come once the screen stands. */
export function usePhoneReaderLater(): PhoneReader | null {
  return useSyncExternalStore(whenIdle, () => reader);
}
