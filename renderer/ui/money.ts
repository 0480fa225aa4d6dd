const formats = new Map<string, Intl.NumberFormat>();

/**
 * Formats an amount as `formatMoney` of `shared/money.ts` does (a test compares the two), as the computer's language writes
 * it but with one symbol: `$0.19`, or `$0.0045` with every digit that it has.
 */
export function formatMoney({ amount, currency }: { amount: string; currency: string }): string {
  let format = formats.get(currency);
  if (!format) {
    const usual = new Intl.NumberFormat(navigator.language, { style: 'currency', currency });
    const least = usual.resolvedOptions().minimumFractionDigits ?? 2;
    const digits = { minimumFractionDigits: least, maximumFractionDigits: 6 };
    // Of several kinds of English one is used: others put a space behind the symbol.
    const shape = /^en\b/u.test(navigator.language) ? 'en-US' : navigator.language;
    format = new Intl.NumberFormat(shape, { style: 'currency', currency, ...digits });
    formats.set(currency, format);
  }
  // The decimal text as it is: as a number it would lose digits.
  const parts = format.formatToParts(amount as `${number}`);
  return parts.map(({ type, value }) => (type === 'currency' ? symbolOf(currency) : value)).join('');
}

const symbols = new Map<string, string>();

/** Symbol of a currency, the same on every computer: British English would write `US$`. */
function symbolOf(currency: string): string {
  const known = symbols.get(currency);
  if (known !== undefined) return known;
  const parts = new Intl.NumberFormat('en-US', { style: 'currency', currency }).formatToParts(0);
  const symbol = parts.find(({ type }) => type === 'currency')?.value ?? currency;
  symbols.set(currency, symbol);
  return symbol;
}
