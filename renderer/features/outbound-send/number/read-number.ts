import { useSyncExternalStore } from 'react';
import type * as rulesModule from '../../../ui/phone-rules.ts';

type Rules = typeof rulesModule;

/** What a typed text is, by the rules of all countries, without asking the gateway. */
export type ReadNumber =
  | { readonly kind: 'empty' }
  /** It can still become a number. */
  | { readonly kind: 'beginning' }
  | {
      readonly kind: 'number';
      readonly to: string;
      readonly display: string;
      readonly country: string | null;
    }
  | { readonly kind: 'wrong'; readonly why: 'not digits' | 'too long' | 'no country' };

const FOREIGN_TO_NUMBERS = /[^\d+()\-./\s]/u;
const UNKNOWN_COUNTRY = /^\+[1-9]\d{5,14}$/u;

let rules: Rules | null = null;
let loading: Promise<void> | null = null;
const listeners = new Set<() => void>();

async function load(): Promise<void> {
  try {
    rules = await import('../../../ui/phone-rules.ts');
    for (const listener of listeners) listener();
  } catch {
    // The next time the screen is opened.
    loading = null;
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  loading ??= load();
  return () => listeners.delete(listener);
}

/** Reads what is typed at once, so that a person sees it with the key press. National numbers belong to `country`. */
export function useReadNumber(text: string, country: string): ReadNumber {
  const known = useSyncExternalStore(subscribe, () => rules);
  return readNumber(known, text, country);
}

function readNumber(known: Rules | null, text: string, country: string): ReadNumber {
  const typed = text.trim();
  if (typed === '') return { kind: 'empty' };
  if (FOREIGN_TO_NUMBERS.test(typed)) return { kind: 'wrong', why: 'not digits' };
  if (!known) return { kind: 'beginning' };
  const defaultCountry = known.isSupportedCountry(country) ? country : 'US';
  const number = known.parsePhoneNumberFromString(typed, { defaultCountry, extract: false });
  if (number?.isPossible()) {
    const { number: to, country: place = null } = number;
    return { kind: 'number', to, display: number.formatInternational(), country: place };
  }
  switch (known.validatePhoneNumberLength(typed, { defaultCountry })) {
    case 'TOO_LONG':
      return { kind: 'wrong', why: 'too long' };
    case 'INVALID_COUNTRY':
      return unknownCountry(typed);
    default:
      return { kind: 'beginning' };
  }
}

/** A country code that nobody has assigned yet passes by its digits alone. */
function unknownCountry(typed: string): ReadNumber {
  const digits = `+${typed.replaceAll(/\D/gu, '')}`;
  if (!typed.startsWith('+')) return { kind: 'wrong', why: 'no country' };
  if (UNKNOWN_COUNTRY.test(digits)) return { kind: 'number', to: digits, display: digits, country: null };
  return digits.length > 16 ? { kind: 'wrong', why: 'too long' } : { kind: 'beginning' };
}

const regionNames = new Intl.DisplayNames([navigator.language], { type: 'region' });

/** `United States` for `US`. */
export function countryName(code: string): string {
  return regionNames.of(code) ?? code;
}
