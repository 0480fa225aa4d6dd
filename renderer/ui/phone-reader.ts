import { useSyncExternalStore } from 'react';

export interface PhoneReader {
  /** The E.164 form of what a person typed; null when it is no whole number. National numbers belong to `country`. */
  read(text: string, country: string): string | null;
  /** Country codes such as `US`. */
  readonly countries: readonly string[];
}

let reader: PhoneReader | null = null;
let loading: Promise<void> | null = null;
const waiting = new Set<() => void>();

async function load(): Promise<void> {
  const { getCountries, parsePhoneNumberFromString, isSupportedCountry } = await import(
    'libphonenumber-js/min'
  );
  reader = {
    countries: getCountries(),
    read(text, country) {
      if (/[^\d+()\-./\s]/u.test(text)) return null;
      const options = isSupportedCountry(country) ? { defaultCountry: country } : {};
      const number = parsePhoneNumberFromString(text.trim(), { ...options, extract: false });
      return number?.isPossible() && !number.ext ? number.number : null;
    },
  };
  for (const tell of waiting) tell();
}

function subscribe(listener: () => void): () => void {
  waiting.add(listener);
  loading ??= load();
  return () => waiting.delete(listener);
}

/** Reads phone numbers; null until the rules of all countries are there. The gateway has the last word. */
export function usePhoneReader(): PhoneReader | null {
  return useSyncExternalStore(subscribe, () => reader);
}
