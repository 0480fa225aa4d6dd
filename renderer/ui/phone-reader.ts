import { useSyncExternalStore } from 'react';
import type * as rules from './phone-rules.ts';

/** Reads and writes phone numbers by the rules of all countries. */
export type PhoneReader = typeof rules;

let reader: PhoneReader | null = null;
let loading: Promise<void> | null = null;
let hasFailed = false;
const listeners = new Set<() => void>();

/** The rules are large, so they come beside the first screen and not in it. */
async function load(): Promise<void> {
  try {
    reader = await import('./phone-rules.ts');
  } catch {
    // The next screen tries to load it again.
    loading = null;
    hasFailed = true;
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  loading ??= load();
  return () => listeners.delete(listener);
}

/** Null until the rules are there. */
export function usePhoneReader(): PhoneReader | null {
  return useSyncExternalStore(subscribe, () => reader);
}

/** As wide as a figure, and nothing to see. */
const FIGURE_SPACE = '\u2007';
const asItIs = (number: string) => number;
const notYet = (number: string) => FIGURE_SPACE.repeat(number.length);

/**
 * Writes E.164 numbers with the gaps of their country: `+15035550119` is `+1 503 555 0119`. Until the rules are there it
 * keeps the room of a number, so that none is seen without its gaps; where they cannot be loaded, numbers stand as they are.
 */
export function usePhoneFormat(): (number: string) => string {
  return useSyncExternalStore(subscribe, () => reader?.formatNumber ?? (hasFailed ? asItIs : notYet));
}
