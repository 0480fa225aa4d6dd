const formats = new Map<string, Intl.NumberFormat>();

/**
 * Formats an amount as `formatMoney` of `shared/money.ts` does (a test compares the two), as the computer's language writes
 * it: `$0.19`, or `$0.0045` with every digit that it has.
 */
export function formatMoney({ amount, currency }: { amount: string; currency: string }): string {
  let format = formats.get(currency);
  if (!format) {
    const usual = new Intl.NumberFormat(navigator.language, { style: 'currency', currency });
    const least = usual.resolvedOptions().minimumFractionDigits ?? 2;
    const digits = { minimumFractionDigits: least, maximumFractionDigits: 6 };
    format = new Intl.NumberFormat(navigator.language, { style: 'currency', currency, ...digits });
    formats.set(currency, format);
  }
  // The decimal text as it is: as a number it would lose digits.
  return format.format(amount as `${number}`);
}
