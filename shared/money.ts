/**
 * Exact amounts of money. An amount is a decimal text with its currency; what is computed is computed in whole millionths of
 * the currency's unit, since carriers bill in fractions of a cent, and nowhere with floating point.
 */
export interface Money {
  /** Decimal, with at least the digits of its currency, e.g. `0.07`, `12`, `0.0045`. */
  readonly amount: string;
  /** ISO 4217. */
  readonly currency: string;
}

/** Digits behind the point that are kept, whatever the currency. */
const DIGITS = 6;
const ONE = 10n ** BigInt(DIGITS);
const DECIMAL = /^(\d{1,18})(?:\.(\d{1,6}))?$/u;

/** Format of the amount of a spending limit. */
export const AMOUNT_LIMIT = /^\d{1,9}(\.\d{1,6})?$/u;
export const AMOUNT_RULE = 'an amount such as 50.00, with at most 6 digits after the decimal point';

/** The millionths of a decimal text without sign, at most six digits behind the point; null for anything else. */
export function millionthsOf(text: string): bigint | null {
  const [, whole, part = ''] = DECIMAL.exec(text) ?? [];
  return whole === undefined ? null : BigInt(whole) * ONE + BigInt(part.padEnd(DIGITS, '0'));
}

/** The amount with the digits of its currency, and with more where it has more. */
export function moneyOf(millionths: bigint, currency: string): Money {
  const isNegative = millionths < 0n;
  const size = isNegative ? -millionths : millionths;
  const least = Math.min(currencyDigits(currency), DIGITS);
  const digits = (size % ONE).toString().padStart(DIGITS, '0');
  const part = digits.slice(0, least) + digits.slice(least).replace(/0+$/u, '');
  const amount = `${isNegative ? '-' : ''}${size / ONE}${part === '' ? '' : `.${part}`}`;
  return { amount, currency };
}

/** A decimal text of any other precision, rounded to the millionth, half up; null for what is none. */
export function roundedMillionths(text: string): bigint | null {
  const [, whole, part = ''] = /^(\d{1,18})(?:\.(\d{1,40}))?$/u.exec(text) ?? [];
  if (whole === undefined) return null;
  const kept = BigInt(whole) * ONE + BigInt(part.slice(0, DIGITS).padEnd(DIGITS, '0'));
  return kept + (Number(part.charAt(DIGITS) || '0') >= 5 ? 1n : 0n);
}

/** The whole millionths of `numerator / denominator`, rounded half up; both without sign. */
export function dividedHalfUp(numerator: bigint, denominator: bigint): bigint {
  return (2n * numerator + denominator) / (2n * denominator);
}

/** Pages of a call with several faxes: those before a fax, its own, and all. */
export interface PageShare {
  readonly before: number;
  readonly pages: number;
  readonly total: number;
}

/**
 * Returns the share of a fax in an amount of its call, by pages, so that the shares of all add up; the list page goes
 * with the first.
 */
export function shareOfPages(millionths: bigint, { before, pages, total }: PageShare): bigint {
  const upTo = (page: number) => (millionths * BigInt(page)) / BigInt(total);
  return upTo(before + pages) - (before === 1 ? 0n : upTo(before));
}

let known: ReadonlySet<string> | null = null;

/** Returns true when the ISO 4217 code is that of a currency. */
export function isCurrency(code: string): boolean {
  known ??= new Set(Intl.supportedValuesOf('currency'));
  return known.has(code);
}

const digitsOf = new Map<string, number>();

/** Digits behind the point that amounts of the currency are written with: 0 of JPY, 2 of USD, 3 of KWD. */
export function currencyDigits(currency: string): number {
  const found = digitsOf.get(currency);
  if (found !== undefined) return found;
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  digitsOf.set(currency, digits);
  return digits;
}

const formats = new Map<string, Intl.NumberFormat>();

/**
 * Formats an amount as every screen, e-mail and command does: `$0.19`, or `$0.0045` with every digit that it has. `locale`
 * is a BCP 47 tag and decides digits and places, never the symbol; sentences of the gateway are English.
 */
export function formatMoney({ amount, currency }: Money, locale = 'en-US'): string {
  const key = `${locale} ${currency}`;
  let format = formats.get(key);
  if (!format) {
    const digits = { minimumFractionDigits: currencyDigits(currency), maximumFractionDigits: DIGITS };
    // Of several kinds of English one is used: others put a space behind the symbol.
    const shape = /^en\b/u.test(locale) ? 'en-US' : locale;
    format = new Intl.NumberFormat(shape, { style: 'currency', currency, ...digits });
    formats.set(key, format);
  }
  // The decimal text as it is: as a number it would lose digits.
  const parts = format.formatToParts(amount as `${number}`);
  return parts.map(({ type, value }) => (type === 'currency' ? symbolOf(currency) : value)).join('');
}

const symbols = new Map<string, string>();

/** Symbol of a currency, the same in every language: `$` of USD, `CA$` of CAD. Languages differ about which dollar needs none. */
function symbolOf(currency: string): string {
  const known = symbols.get(currency);
  if (known !== undefined) return known;
  const parts = new Intl.NumberFormat('en-US', { style: 'currency', currency }).formatToParts(0);
  const symbol = parts.find(({ type }) => type === 'currency')?.value ?? currency;
  symbols.set(currency, symbol);
  return symbol;
}
