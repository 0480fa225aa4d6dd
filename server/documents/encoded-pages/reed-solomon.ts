import { FIELD_ORDER, logarithms, multiply, powers } from './galois-field.ts';

/** Bytes of a codeword, and those of it that repair the others: 24 wrong bytes, or 48 whose places are known. */
export const CODEWORD_BYTES = FIELD_ORDER;
const REPAIR_BYTES = 48;
export const CODEWORD_DATA_BYTES = CODEWORD_BYTES - REPAIR_BYTES;

/** Logarithm that stands for the element 0. */
const ZERO = -1;

/** Generator polynomial with the roots 2^0 … 2^47, highest coefficient (1) left out, as tables of products. */
const generatorProducts = makeGeneratorProducts();

function makeGeneratorProducts(): Uint8Array {
  let polynomial = [1];
  for (let root = 0; root < REPAIR_BYTES; root++) {
    const next = [...polynomial, 0];
    for (const [i, coefficient] of polynomial.entries()) next[i + 1]! ^= multiply(coefficient, powers[root]!);
    polynomial = next;
  }
  const products = new Uint8Array(256 * REPAIR_BYTES);
  for (let factor = 0; factor < 256; factor++)
    for (let i = 0; i < REPAIR_BYTES; i++)
      products[factor * REPAIR_BYTES + i] = multiply(factor, polynomial[i + 1]!);
  return products;
}

/** Writes the 48 repair bytes after the 207 data bytes of a codeword. */
export function addRepairBytes(codeword: Uint8Array): void {
  const remainder = codeword.subarray(CODEWORD_DATA_BYTES);
  remainder.fill(0);
  for (let i = 0; i < CODEWORD_DATA_BYTES; i++) {
    const from = (codeword[i]! ^ remainder[0]!) * REPAIR_BYTES;
    for (let j = 0; j < REPAIR_BYTES - 1; j++)
      remainder[j] = remainder[j + 1]! ^ generatorProducts[from + j]!;
    remainder[REPAIR_BYTES - 1] = generatorProducts[from + REPAIR_BYTES - 1]!;
  }
}

/**
 * Repairs a codeword in place and returns the number of bytes that were changed; null when it has too many wrong bytes,
 * and the codeword is left as it was. `erased` are the places of bytes that are probably wrong, 48 at most.
 */
export function repairCodeword(codeword: Uint8Array, erased: readonly number[] = []): number | null {
  const syndromes = syndromesOf(codeword);
  if (syndromes.every((syndrome) => syndrome === ZERO)) return 0;
  const locator = findLocator(syndromes, erased);
  const degree = locator.findLastIndex((coefficient) => coefficient !== ZERO);
  const roots = findRoots(locator, degree);
  return roots === null ? null : correct(codeword, { syndromes, locator, degree, roots });
}

/** The logarithms of the codeword's values at 2^0 … 2^47; all ZERO for one without error. */
function syndromesOf(codeword: Uint8Array): Int16Array {
  const syndromes = new Int16Array(REPAIR_BYTES);
  for (let root = 0; root < REPAIR_BYTES; root++) {
    let value = codeword[0]!;
    for (let i = 1; i < CODEWORD_BYTES; i++)
      value = value === 0 ? codeword[i]! : powers[logarithms[value]! + root]! ^ codeword[i]!;
    syndromes[root] = logOf(value);
  }
  return syndromes;
}

const logOf = (value: number): number => (value === 0 ? ZERO : logarithms[value]!);
const powerOf = (exponent: number): number => powers[((exponent % FIELD_ORDER) + FIELD_ORDER) % FIELD_ORDER]!;

/** The error locator by Berlekamp and Massey, begun with the erasures, as logarithms of its coefficients. */
function findLocator(syndromes: Int16Array, erased: readonly number[]): Int16Array {
  const locator = erasureLocator(erased);
  let previous: number[] = Array.from(locator, logOf);
  let length = erased.length;
  for (let step = erased.length + 1; step <= REPAIR_BYTES; step++) {
    let discrepancy = 0;
    for (let i = 0; i < step; i++) {
      const syndrome = syndromes[step - i - 1]!;
      if (locator[i] !== 0 && syndrome !== ZERO) discrepancy ^= powers[logarithms[locator[i]!]! + syndrome]!;
    }
    const shifted = [ZERO, ...previous.slice(0, REPAIR_BYTES)];
    if (discrepancy === 0) {
      previous = shifted;
      continue;
    }
    const scale = logarithms[discrepancy]!;
    const before = locator.slice();
    for (let i = 1; i <= REPAIR_BYTES; i++)
      if (shifted[i] !== ZERO) locator[i]! ^= powers[scale + shifted[i]!]!;
    if (2 * length > step + erased.length - 1) {
      previous = shifted;
      continue;
    }
    length = step + erased.length - length;
    previous = Array.from(before, (value) =>
      value === 0 ? ZERO : (logarithms[value]! - scale + FIELD_ORDER) % FIELD_ORDER,
    );
  }
  return Int16Array.from(locator, logOf);
}

function erasureLocator(erased: readonly number[]): Uint8Array {
  const locator = new Uint8Array(REPAIR_BYTES + 1);
  locator[0] = 1;
  for (const [count, place] of erased.entries()) {
    const root = powers[CODEWORD_BYTES - 1 - place]!;
    for (let i = count + 1; i > 0; i--) locator[i]! ^= multiply(root, locator[i - 1]!);
  }
  return locator;
}

/** A place in the codeword and the exponent of the locator's root that gave it. */
interface Root {
  exponent: number;
  place: number;
}

/** All roots of the locator; null when it has fewer than its degree, as for a codeword with too many wrong bytes. */
function findRoots(locator: Int16Array, degree: number): Root[] | null {
  const roots: Root[] = [];
  for (let exponent = 1; exponent <= FIELD_ORDER && roots.length < degree; exponent++) {
    let value = 1;
    for (let i = 1; i <= degree; i++)
      if (locator[i] !== ZERO) value ^= powers[(locator[i]! + i * exponent) % FIELD_ORDER]!;
    if (value === 0) roots.push({ exponent, place: exponent - 1 });
  }
  return roots.length === degree ? roots : null;
}

interface LocatedErrors {
  syndromes: Int16Array;
  locator: Int16Array;
  degree: number;
  roots: Root[];
}

/** Computes the wrong bytes' values by Forney's formula and corrects them. */
function correct(codeword: Uint8Array, { syndromes, locator, degree, roots }: LocatedErrors): number | null {
  const evaluator = Array.from({ length: degree }, (_, i) => {
    let sum = 0;
    for (let j = 0; j <= i; j++)
      if (syndromes[i - j] !== ZERO && locator[j] !== ZERO) sum ^= powerOf(syndromes[i - j]! + locator[j]!);
    return logOf(sum);
  });
  const original = codeword.slice();
  let changed = 0;
  for (const { exponent, place } of roots) {
    let numerator = 0;
    for (const [i, log] of evaluator.entries()) if (log !== ZERO) numerator ^= powerOf(log + i * exponent);
    if (numerator === 0) continue;
    let denominator = 0;
    for (let i = 0; i < degree; i += 2)
      if (locator[i + 1] !== ZERO) denominator ^= powerOf(locator[i + 1]! + i * exponent);
    if (denominator === 0) break;
    codeword[place]! ^= powerOf(logarithms[numerator]! - exponent - logarithms[denominator]!);
    changed++;
  }
  if (syndromesOf(codeword).every((syndrome) => syndrome === ZERO)) return changed;
  codeword.set(original);
  return null;
}
