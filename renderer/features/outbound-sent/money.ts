const formats = new Map<string, Intl.NumberFormat>();

/** `$0.19`: an amount of the contract as the computer's language writes it. */
export function formatCost({ amount, currency }: { amount: string; currency: string }): string {
  let format = formats.get(currency);
  if (!format) {
    format = new Intl.NumberFormat(navigator.language, { style: 'currency', currency });
    formats.set(currency, format);
  }
  return format.format(Number(amount));
}
