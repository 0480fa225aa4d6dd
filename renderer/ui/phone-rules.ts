import {
  getCountries,
  isSupportedCountry,
  parsePhoneNumberFromString,
  validatePhoneNumberLength,
} from 'libphonenumber-js/min';

/** Result of parsing a text as a phone number. */
export type ReadNumber =
  | { readonly kind: 'empty' }
  /** It can still become a number. */
  | { readonly kind: 'beginning' }
  | {
      readonly kind: 'number';
      /** E.164 */
      readonly to: string;
      /** Grouped for reading. */
      readonly display: string;
      /** ISO 3166 alpha-2; null for a number without a country or with an unknown one. */
      readonly country: string | null;
      /** No country has its country code. */
      readonly hasUnknownCode?: true;
    }
  | { readonly kind: 'wrong'; readonly why: 'not digits' | 'too long' | 'no country' };

/** The country codes, such as `US`. */
export const COUNTRIES: readonly string[] = getCountries();

const MAX_TEXT_LENGTH = 40;
const FOREIGN_TO_NUMBERS = /[^\d+()\-./\s]/u;
const SEPARATORS = /[()\-./\s]/gu;
const UNKNOWN_COUNTRY = /^\+[1-9]\d{5,14}$/u;

/**
 * Reads a typed number, as the gateway does (`server/platform/phone-number.ts`; a test compares the two). National
 * numbers belong to `country`. That a number is possible decides, not that it is in use.
 */
export function readNumber(text: string, country: string): ReadNumber {
  const typed = text.trim();
  if (typed === '') return { kind: 'empty' };
  if (FOREIGN_TO_NUMBERS.test(typed)) return { kind: 'wrong', why: 'not digits' };
  if (typed.length > MAX_TEXT_LENGTH) return { kind: 'wrong', why: 'too long' };
  const defaultCountry = isSupportedCountry(country) ? country : 'US';
  const number = parsePhoneNumberFromString(typed, { defaultCountry, extract: false });
  if (number && !number.ext && number.isPossible()) {
    const { number: to, country: found = null } = number;
    return { kind: 'number', to, display: number.formatInternational(), country: found };
  }
  switch (validatePhoneNumberLength(typed, { defaultCountry })) {
    case 'TOO_LONG':
      return { kind: 'wrong', why: 'too long' };
    case 'INVALID_COUNTRY':
      return number ? { kind: 'beginning' } : ofUnknownCountry(typed);
    default:
      return { kind: 'beginning' };
  }
}

/** A country code that nobody has assigned yet passes by its digits alone. */
function ofUnknownCountry(typed: string): ReadNumber {
  if (!typed.startsWith('+')) return { kind: 'wrong', why: 'no country' };
  const digits = typed.replaceAll(SEPARATORS, '');
  if (UNKNOWN_COUNTRY.test(digits))
    return { kind: 'number', to: digits, display: digits, country: null, hasUnknownCode: true };
  return digits.length > 16 ? { kind: 'wrong', why: 'too long' } : { kind: 'beginning' };
}

/** The E.164 form of what a person typed; null when it is no whole number. */
export function toE164(text: string, country: string): string | null {
  const read = readNumber(text, country);
  return read.kind === 'number' ? read.to : null;
}

/** `+15035550119` as `+1 503 555 0119`. */
export function formatNumber(e164: string): string {
  return parsePhoneNumberFromString(e164)?.formatInternational() ?? e164;
}
