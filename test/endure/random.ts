import { createRandom, type Random } from '../fuzz/random.ts';

/**
 * Chance of its own for each part of a trial, by the seed and the part's name: what one part decides does not depend on
 * how many decisions another has taken by then.
 */
export function createRandomFor(seed: number, ...names: readonly (string | number)[]): Random {
  let mixed = seed >>> 0;
  for (const character of names.join(' '))
    mixed = Math.imul(mixed ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return createRandom(mixed);
}
