import { dividedHalfUp, millionthsOf } from '../../../shared/money.ts';

/** Rates of a fax: decimal texts, null for a kind of rate that is not billed. */
export interface Rates {
  readonly per_page: string | null;
  readonly per_minute: string | null;
  readonly per_fax: string | null;
  /** Billing increment in seconds, and the minimum duration. */
  readonly increment_seconds: number;
  readonly minimum_seconds: number;
}

/** Billed pages, and seconds on the line; null while unknown. */
export interface Billed {
  readonly pages: number | null;
  readonly seconds: number | null;
  /** 1 when the call was answered: an unanswered call is not billed as one. */
  readonly calls: 0 | 1 | null;
}

/** Returns the billed seconds: whole increments, and no fewer than the minimum; 0 for 0. */
export function billedSeconds(seconds: number, rates: Rates): number {
  if (seconds <= 0) return 0;
  const { increment_seconds: step, minimum_seconds: least } = rates;
  return Math.ceil(Math.max(Math.ceil(seconds), least) / step) * step;
}

/**
 * Calculates the price in millionths of the currency's unit, exact, rounded once and half up where minutes do not
 * divide. Null when a billed value is unknown: unknown is never 0.
 */
export function priceOf(rates: Rates, { pages, seconds, calls }: Billed): bigint | null {
  const [perPage, perMinute, perFax] = [rates.per_page, rates.per_minute, rates.per_fax].map(rateOf);
  if (perPage === undefined || perMinute === undefined || perFax === undefined) return null;
  if ((perPage > 0n && pages === null) || (perMinute > 0n && seconds === null)) return null;
  if (perFax > 0n && calls === null) return null;
  const minutes = perMinute * BigInt(billedSeconds(seconds ?? 0, rates));
  return perPage * BigInt(pages ?? 0) + dividedHalfUp(minutes, 60n) + perFax * BigInt(calls ?? 0);
}

function rateOf(text: string | null): bigint {
  const rate = text === null ? 0n : millionthsOf(text);
  if (rate === null) throw new Error('a rate is not a decimal');
  return rate;
}
