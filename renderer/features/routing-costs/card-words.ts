import type { RateCard } from '../../api/rate-cards.ts';
import { t } from '../../texts/costs.ts';
import { formatCount, formatDuration } from '../../ui/format.ts';
import { formatMoney } from '../../ui/money.ts';

const words = t.costs.cards;

type Prices = Pick<
  RateCard,
  | 'currency'
  | 'per_page'
  | 'per_minute'
  | 'per_fax'
  | 'increment_seconds'
  | 'minimum_seconds'
  | 'monthly_fee'
  | 'included_pages'
>;

/** `all numbers`, `numbers that begin with +1 +44` */
export const numbersWord = (prefixes: readonly string[]): string =>
  prefixes.length === 0 ? words.allNumbers : words.startingWith(prefixes.join(' '));

/** Each price as a phrase: `$0.07 per page`, `$0.02 per minute (in whole 30 s, at least 30 s)`. */
export function pricePhrases(prices: Prices): string[] {
  const { currency, per_page, per_minute, per_fax, monthly_fee, included_pages } = prices;
  const priced = (amount: string | null, phrase: (money: string) => string) =>
    amount === null ? [] : [phrase(formatMoney({ amount, currency }))];
  const pages = included_pages === null ? '' : ` ${words.withPages(formatCount(included_pages))}`;
  return [
    ...priced(per_page, words.perPage),
    ...priced(per_minute, (money) => `${words.perMinute(money)} (${billedTime(prices)})`),
    ...priced(per_fax, words.perFax),
    ...priced(monthly_fee, (money) => `${words.perMonth(money)}${pages}`),
  ];
}

function billedTime({ increment_seconds, minimum_seconds }: Prices): string {
  const increments = words.increments(formatDuration(increment_seconds));
  return minimum_seconds === 0
    ? increments
    : `${increments}, ${words.atLeast(formatDuration(minimum_seconds))}`;
}

/** Formats the time a version comes into force, always with the year: `Nov 21, 2026, 9:00 AM`. */
export const startWord = (iso: string): string =>
  new Intl.DateTimeFormat(navigator.language, { dateStyle: 'medium', timeStyle: 'short' }).format(
    new Date(iso),
  );
