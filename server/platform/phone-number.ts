import {
  type CountryCode,
  getExampleNumber,
  isSupportedCountry,
  parsePhoneNumberWithError,
} from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';
import { memoize } from './memoize.ts';

/** An office faxes the same few hundred numbers, and its own stands on every page. */
const CACHE_SIZE = 1000;

/**
 * The E.164 form of what a person typed, or null when it is incomplete. National numbers belong to `country` (ISO 3166
 * alpha-2). `possible` decides, not `valid`: the latter lags behind new ranges and refuses test numbers. Extensions are
 * refused: a fax machine cannot be reached behind one without a person.
 */
export function toE164(text: string, country: string): string | null {
  const typed = text.trim();
  if (typed.length > 40 || /[^\d+()\-./\s]/u.test(typed)) return null;
  return parseNumber(`${country} ${typed}`);
}

const parseNumber = memoize(CACHE_SIZE, (key): string | null => {
  const at = key.indexOf(' ');
  const [country, typed] = [key.slice(0, at), key.slice(at + 1)];
  try {
    const number = parsePhoneNumberWithError(typed, {
      defaultCountry: isSupportedCountry(country) ? country : 'US',
      extract: false,
    });
    if (number.ext || !number.isPossible()) return null;
    return number.number;
  } catch {
    return unknownCountry(typed);
  }
});

/** `+` with a country code nobody has assigned yet passes by its digits alone. */
function unknownCountry(typed: string): string | null {
  if (!typed.startsWith('+')) return null;
  const digits = typed.slice(1).replaceAll(/[()\-./\s]/gu, '');
  if (!/^[1-9]\d{5,14}$/u.test(digits)) return null;
  try {
    parsePhoneNumberWithError(`+${digits}`);
    return null;
  } catch (error) {
    return error instanceof Error && error.message === 'INVALID_COUNTRY' ? `+${digits}` : null;
  }
}

/**
 * Returns the number that a request names: in E.164 form where it has one, and else `+` with 6 to 20 digits as written,
 * because some systems use numbers that no numbering plan has. The console refuses those: a person who types one has
 * missed a digit.
 */
export function requestedNumber(text: string, country: string): string | null {
  return toE164(text, country) ?? (/^\+\d{6,20}$/u.test(text.trim()) ? text.trim() : null);
}

/** The country of a number (ISO 3166 alpha-2), or null: several share a code, some codes belong to none. */
export function countryOf(e164: string): string | null {
  try {
    return parsePhoneNumberWithError(e164).country ?? null;
  } catch {
    return null;
  }
}

/** A number grouped for reading, e.g. `+1 202 555 0123`. */
export const formatNumber = memoize(CACHE_SIZE, (e164: string): string => {
  try {
    return parsePhoneNumberWithError(e164).formatInternational();
  } catch {
    return e164;
  }
});

export function isCountry(text: string): text is CountryCode {
  return isSupportedCountry(text);
}

/** A number of the country as its people write it, for a hint beside the field; empty for an unknown country. */
export function exampleNumber(country: string): string {
  if (!isSupportedCountry(country)) return '';
  return getExampleNumber(country, examples)?.formatNational() ?? '';
}
