import { type Money, millionthsOf, moneyOf } from '../../../shared/money.ts';
import type { ReadDb } from '../../db/database.ts';
import { isoTime } from '../../platform/clock.ts';
import { localIsoMonth } from '../../platform/local-days.ts';
import { type ChosenCard, cardFor } from './choose-card.ts';
import { priceOf } from './price.ts';
import { planPages } from './store/cost-store.ts';

/** Estimated cost of a fax that begins now. */
export interface Estimate {
  readonly card: ChosenCard | null;
  /** Null while unknown. */
  readonly amount: Money | null;
  /** Pages that the monthly fee of the card pays for. */
  readonly planPages: number;
}

/** Fax to price: to a number (E.164), by a backend, at a time (epoch milliseconds). */
interface Priced {
  readonly backend: string;
  /** The delivery route; null or left out where no route chose the backend. */
  readonly routeId?: string | null;
  readonly to: string;
  readonly pages: number;
  readonly seconds: number;
  readonly at: number;
  readonly timeZone: string | null;
}

/** Estimates the cost of a fax, for quotes and for attempts alike. */
export async function estimate(db: ReadDb, fax: Priced): Promise<Estimate> {
  const { backend, routeId = null, to, pages, seconds, at, timeZone } = fax;
  const card = await cardFor(db, { backend, routeId, to, at: isoTime(at) });
  if (card === null) return { card: null, amount: null, planPages: 0 };
  const { version } = card;
  const month = localIsoMonth(at, timeZone);
  const fromPlan = await pagesOfPlan(db, { ...version, month, pages });
  const price = priceOf(version, { pages: pages - fromPlan, seconds, calls: 1 });
  return { card, amount: price === null ? null : moneyOf(price, version.currency), planPages: fromPlan };
}

/** Returns how many of these pages the monthly fee of a card covers; `used` of them are counted already. */
export async function pagesOfPlan(
  db: ReadDb,
  card: { card_id: string; included_pages: number | null; month: string; pages: number; used?: number },
): Promise<number> {
  const { included_pages, pages, used = 0 } = card;
  if (included_pages === null) return 0;
  const left = included_pages - ((await planPages(db, card)) - used);
  return Math.min(Math.max(left, 0), pages);
}

/** Returns a stored amount in millionths. */
export function storedMillionths(amount: string): bigint {
  const millionths = millionthsOf(amount);
  if (millionths === null) throw new Error('a stored amount is not a decimal');
  return millionths;
}
