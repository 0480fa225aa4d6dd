import { describe, expect, test } from 'vitest';
import { formatMoney as formatOnScreen } from '../../renderer/ui/money.ts';
import { billedSeconds, priceOf, type Rates } from '../../server/features/routing/price.ts';
import {
  currencyDigits,
  formatMoney,
  isCurrency,
  millionthsOf,
  moneyOf,
  roundedMillionths,
} from '../../shared/money.ts';

/** Random numbers that a seed decides. */
function randomOf(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state % (most + 1);
  };
}

// A second implementation: fractions of digit lists, added and multiplied as on paper, and no BigInt.
type Digits = number[];
const onPaper = {
  of: (text: string): Digits => [...text].map(Number).reverse(),
  text: (digits: Digits): string =>
    digits
      .toReversed()
      .join('')
      .replace(/^0+(?=\d)/u, ''),
  carried(digits: Digits): Digits {
    const done: Digits = [];
    let carry = 0;
    for (let i = 0; i < digits.length || carry > 0; i += 1) {
      const sum = (digits[i] ?? 0) + carry;
      done.push(sum % 10);
      carry = Math.floor(sum / 10);
    }
    return done;
  },
  add: (a: Digits, b: Digits): Digits =>
    onPaper.carried(
      Array.from({ length: Math.max(a.length, b.length) }, (_, i) => (a[i] ?? 0) + (b[i] ?? 0)),
    ),
  times: (a: Digits, factor: number): Digits => onPaper.carried(a.map((digit) => digit * factor)),
  /** Long division, rounded half up. */
  by(a: Digits, divisor: number): Digits {
    let rest = 0;
    const whole = a.toReversed().map((digit) => {
      const now = rest * 10 + digit;
      rest = now % divisor;
      return Math.floor(now / divisor);
    });
    return rest * 2 >= divisor ? onPaper.add(whole.toReversed(), [1]) : whole.toReversed();
  },
  /** Millionths as digits. */
  millionths(text: string): Digits {
    const [whole = '0', part = ''] = text.split('.');
    return onPaper.of(whole + part.padEnd(6, '0'));
  },
  /** With the digits that a person expects of the currency. */
  money(millionths: Digits, least: number): string {
    const text = onPaper.text(millionths).padStart(7, '0');
    const [whole, part] = [text.slice(0, -6), text.slice(-6)];
    let kept = part;
    while (kept.length > least && kept.endsWith('0')) kept = kept.slice(0, -1);
    return kept === '' ? whole : `${whole}.${kept}`;
  },
};

const CURRENCIES = { JPY: 0, USD: 2, EUR: 2, KWD: 3, TND: 3 } as const;

describe('amounts', () => {
  test.each(Object.entries(CURRENCIES))(
    'in %s have %i digits and are right to the last',
    (currency, digits) => {
      const random = randomOf(7 + digits);
      const price = () =>
        random(5) === 0 ? null : `${random(20)}.${String(random(999_999)).padStart(6, '0')}`;
      let sum = 0n;
      let sumOnPaper: Digits = [0];
      for (let i = 0; i < 400; i += 1) {
        const rates: Rates = {
          per_page: price(),
          per_minute: price(),
          per_fax: price(),
          increment_seconds: [1, 6, 30, 60][random(3)] ?? 1,
          minimum_seconds: random(60),
        };
        const [pages, seconds] = [random(40), random(900) + 1];
        const step = rates.increment_seconds;
        let billed = 0;
        while (billed < seconds || billed < rates.minimum_seconds) billed += step;
        expect(billedSeconds(seconds, rates)).toBe(billed);
        const parts = [
          onPaper.times(onPaper.millionths(rates.per_page ?? '0'), pages),
          onPaper.by(onPaper.times(onPaper.millionths(rates.per_minute ?? '0'), billed), 60),
          onPaper.millionths(rates.per_fax ?? '0'),
        ];
        const expected = parts.reduce(onPaper.add);
        const found = priceOf(rates, { pages, seconds, calls: 1 }) ?? -1n;
        expect(moneyOf(found, currency)).toEqual({ amount: onPaper.money(expected, digits), currency });
        sum += found;
        sumOnPaper = onPaper.add(sumOnPaper, expected);
      }
      expect(currencyDigits(currency)).toBe(digits);
      expect(moneyOf(sum, currency).amount).toBe(onPaper.money(sumOnPaper, digits));
    },
  );

  test('keep what a carrier bills below the smallest coin', () => {
    expect(moneyOf(millionthsOf('0.0045') ?? 0n, 'USD').amount).toBe('0.0045');
    expect(moneyOf(millionthsOf('3') ?? 0n, 'USD').amount).toBe('3.00');
    expect(moneyOf(millionthsOf('3.000000') ?? 0n, 'JPY').amount).toBe('3');
    expect(moneyOf(-70_000n, 'USD').amount).toBe('-0.07');
  });

  test('rule (routing): amounts are exact decimals of one currency', () => {
    const sum = (millionthsOf('0.1') ?? 0n) + (millionthsOf('0.2') ?? 0n);
    expect(moneyOf(sum, 'EUR').amount).toBe('0.30');
  });

  test.each(['', '-1', '1e3', '1.', '.5', '1.0000001', '٣', ' 1', '0x1'])('%j is none', (text) => {
    expect(millionthsOf(text)).toBeNull();
  });

  test('of a provider with more digits are rounded half up', () => {
    expect(roundedMillionths('0.0000005')).toBe(1n);
    expect(roundedMillionths('0.00000049999')).toBe(0n);
    expect(roundedMillionths('0.9999995')).toBe(1_000_000n);
  });

  test('are written in one form, with the sign of their currency and every digit that they have', () => {
    const all = ['USD', 'EUR', 'JPY', 'CAD'].map((currency) => formatMoney({ amount: '1234.5', currency }));
    expect(all).toEqual(['$1,234.50', '€1,234.50', '¥1,234.5', 'CA$1,234.50']);
    expect(formatMoney({ amount: '0.0045', currency: 'USD' })).toBe('$0.0045');
    expect(formatMoney({ amount: '0.19', currency: 'USD' }, 'de-DE')).toBe('0,19\u00a0$');
  });

  test.each(['en-US', 'en-GB', 'en-CA', 'en-AU'])('have one symbol, also in a browser of %s', (locale) => {
    const all = ['USD', 'GBP', 'CAD'].map((currency) => formatMoney({ amount: '0.07', currency }, locale));
    expect(all).toEqual(['$0.07', '£0.07', 'CA$0.07']);
  });

  test('are written by the screens as by the gateway', () => {
    for (const [amount, currency] of [
      ['0.07', 'USD'],
      ['0.0045', 'EUR'],
      ['12', 'JPY'],
      ['1234567.5', 'KWD'],
    ] as const)
      expect(formatOnScreen({ amount, currency })).toBe(
        formatMoney({ amount, currency }, navigator.language),
      );
  });

  test('have their currencies', () => {
    expect(['USD', 'KWD', 'XXZ', 'usd', ''].map(isCurrency)).toEqual([true, true, false, false, false]);
  });
});

describe('a price', () => {
  const none = { per_page: null, per_minute: null, per_fax: null, increment_seconds: 60, minimum_seconds: 0 };

  test('rule (routing): a price with an unknown part is unknown, never 0', () => {
    expect(priceOf({ ...none, per_page: '0.07' }, { pages: null, seconds: 60, calls: 1 })).toBeNull();
    expect(priceOf({ ...none, per_minute: '0.02' }, { pages: 1, seconds: null, calls: 1 })).toBeNull();
    expect(priceOf({ ...none, per_fax: '0.10' }, { pages: null, seconds: null, calls: 1 })).toBe(100_000n);
    expect(priceOf({ ...none, per_page: '0' }, { pages: null, seconds: null, calls: 1 })).toBe(0n);
  });

  test('of a call that nobody took has no minutes and no call', () => {
    const rates = { ...none, per_minute: '0.02', per_fax: '0.10', minimum_seconds: 30 };
    expect(priceOf(rates, { pages: 0, seconds: 0, calls: 0 })).toBe(0n);
  });
});
