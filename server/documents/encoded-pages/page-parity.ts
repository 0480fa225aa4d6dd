import { addMultiple, invert, productsOf } from './galois-field.ts';

/** Highest row of the Cauchy matrix: parity page i has the row 255 - i, data page j the column j. */
const FIRST_ROW = 255;
/** Data pages that one parity page repairs. */
const PAGES_PER_PARITY = 10;

/** Returns the number of parity pages: none for a single page, otherwise one for each ten begun. */
export function parityPagesFor(dataPages: number): number {
  return dataPages === 1 ? 0 : Math.ceil(dataPages / PAGES_PER_PARITY);
}

const coefficient = (parity: number, data: number): number => invert((FIRST_ROW - parity) ^ data);

/** Returns parity page `parity` of the parts, as long as the longest of them. */
export function parityPart(parts: readonly Uint8Array[], parity: number): Uint8Array {
  const sum = new Uint8Array(Math.max(...parts.map((part) => part.length)));
  for (const [data, part] of parts.entries()) addMultiple(sum, part, coefficient(parity, data));
  return sum;
}

/**
 * Returns all `dataPages` parts, missing ones computed from the parity pages. `parts` has the payload of each page by its
 * index, `partBytes` long but for the last data page, and at least `dataPages` of them. Rebuilt parts are `partBytes` long.
 */
export function rebuildParts(
  parts: ReadonlyMap<number, Uint8Array>,
  dataPages: number,
  partBytes: number,
): Uint8Array[] {
  const indexes = Array.from({ length: dataPages }, (_, index) => index);
  const missing = indexes.filter((index) => !parts.has(index));
  const parities = [...parts.keys()].filter((index) => index >= dataPages).slice(0, missing.length);
  const sums = parities.map((index) => {
    const sum = new Uint8Array(partBytes);
    sum.set(parts.get(index)!);
    for (const data of indexes) {
      const part = parts.get(data);
      if (part) addMultiple(sum, part, coefficient(index - dataPages, data));
    }
    return sum;
  });
  const matrix = parities.map((index) => missing.map((data) => coefficient(index - dataPages, data)));
  solve(matrix, sums);
  const rebuilt = new Map(missing.map((index, i) => [index, sums[i]!]));
  return indexes.map((index) => parts.get(index) ?? rebuilt.get(index)!);
}

/** Gauss-Jordan elimination; every square part of a Cauchy matrix can be inverted, so that no pivot is 0 for good. */
function solve(matrix: number[][], sums: Uint8Array[]): void {
  for (let column = 0; column < matrix.length; column++) {
    const pivot = matrix.findIndex((row, i) => i >= column && row[column] !== 0);
    [matrix[column], matrix[pivot]] = [matrix[pivot]!, matrix[column]!];
    [sums[column], sums[pivot]] = [sums[pivot]!, sums[column]!];
    scale(matrix[column]!, sums[column]!, invert(matrix[column]![column]!));
    for (const [i, row] of matrix.entries()) {
      const factor = row[column]!;
      if (i === column || factor === 0) continue;
      const pivotRow = Uint8Array.from(matrix[column]!);
      const target = Uint8Array.from(row);
      addMultiple(target, pivotRow, factor);
      matrix[i] = [...target];
      addMultiple(sums[i]!, sums[column]!, factor);
    }
  }
}

function scale(row: number[], sum: Uint8Array, factor: number): void {
  const products = productsOf(factor);
  for (const [i, value] of row.entries()) row[i] = products[value]!;
  for (let i = 0; i < sum.length; i++) sum[i] = products[sum[i]!]!;
}
