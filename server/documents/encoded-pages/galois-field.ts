/** Elements of GF(256) other than 0, and so the longest codeword. */
export const FIELD_ORDER = 255;
/** x^8 + x^4 + x^3 + x^2 + 1. */
const POLYNOMIAL = 0x11d;

/** Powers of 2, twice over, so that a sum of two logarithms needs no remainder. */
export const powers = new Uint8Array(2 * FIELD_ORDER + 2);
/** Logarithms to base 2 of 1 to 255; that of 0 is meaningless. */
export const logarithms = new Uint8Array(FIELD_ORDER + 1);

for (let exponent = 0, value = 1; exponent < FIELD_ORDER; exponent++) {
  powers[exponent] = value;
  powers[exponent + FIELD_ORDER] = value;
  logarithms[value] = exponent;
  value <<= 1;
  if (value > FIELD_ORDER) value ^= POLYNOMIAL;
}

/** Returns the product of two elements. */
export function multiply(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : powers[logarithms[a]! + logarithms[b]!]!;
}

/** Returns the inverse of an element other than 0. */
export function invert(a: number): number {
  return powers[FIELD_ORDER - logarithms[a]!]!;
}

/** Returns the 256 products of `factor`, by the other factor. */
export function productsOf(factor: number): Uint8Array {
  return Uint8Array.from({ length: FIELD_ORDER + 1 }, (_, other) => multiply(factor, other));
}

/** Adds `factor` times `row` to `sum`. */
export function addMultiple(sum: Uint8Array, row: Uint8Array, factor: number): void {
  const products = productsOf(factor);
  for (let i = 0; i < row.length; i++) sum[i]! ^= products[row[i]!]!;
}
