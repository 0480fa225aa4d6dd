/**
 * Computes the cost of attempts a second time and differently from the product: with fractions, which are rounded when
 * they are written.
 */

/** A fraction of a unit of the currency. */
interface Fraction {
  readonly over: bigint;
  readonly under: bigint;
}

export interface Amount {
  readonly value: Fraction;
  readonly currency: string;
}

/** Of one rate card; decimal texts, null for what is not billed. */
interface Prices {
  readonly per_page: string | null;
  readonly per_minute: string | null;
  readonly per_fax: string | null;
  readonly increment_seconds: number;
  readonly minimum_seconds: number;
}

/** Digits that each currency has at least. */
export const DIGITS: Readonly<Record<string, number>> = { USD: 2, GBP: 2, JPY: 0, KWD: 3, CHF: 2 };

export const fraction = (over: number | bigint, under: number | bigint = 1): Fraction => ({
  over: BigInt(over),
  under: BigInt(under),
});

function decimal(text: string | null): Fraction {
  const [units = '0', digits = ''] = (text ?? '0').split('.');
  return fraction(BigInt(units + digits), 10n ** BigInt(digits.length));
}

export const plus = (a: Fraction, b: Fraction): Fraction =>
  fraction(a.over * b.under + b.over * a.under, a.under * b.under);

const times = (a: Fraction, b: Fraction): Fraction => fraction(a.over * b.over, a.under * b.under);

/** Returns the price of a delivered fax by the card; each amount is exact to the sixth digit. */
export function priceOf(prices: Prices, { pages, seconds }: { pages: number; seconds: number }): Fraction {
  let billed = prices.minimum_seconds > seconds ? prices.minimum_seconds : seconds;
  while (billed % prices.increment_seconds !== 0) billed += 1;
  const call = times(decimal(prices.per_minute), fraction(billed, 60));
  const whole = plus(plus(times(decimal(prices.per_page), fraction(pages)), call), decimal(prices.per_fax));
  return fraction(millionths(whole), 1_000_000);
}

/** Rounded half up. */
const millionths = ({ over, under }: Fraction): bigint => (over * 2_000_000n + under) / (under * 2n);

/** As an amount is written: at least the digits of its currency, at most six. */
export function formatAmount({ value, currency }: Amount): { amount: string; currency: string } {
  const text = millionths(value).toString().padStart(7, '0');
  const [units, digits] = [text.slice(0, -6), text.slice(-6)];
  let least = 6;
  while (least > (DIGITS[currency] ?? 2) && digits[least - 1] === '0') least -= 1;
  return { amount: least === 0 ? units : `${units}.${digits.slice(0, least)}`, currency };
}
