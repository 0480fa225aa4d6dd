import { seededRandom } from '../fixtures/seeded-random.ts';

/** Random choices, the same ones for the same seed. */
export interface Random {
  /** Returns an integer from 0 to below `below`. */
  int(below: number): number;
  pick<T>(list: readonly T[]): T;
  /** Returns true in `percent` of a hundred calls. */
  chance(percent: number): boolean;
  bytes(count: number): Buffer;
}

export function createRandom(seed: number): Random {
  const next = seededRandom(seed);
  const int = (below: number) => Math.floor(next() * below);
  return {
    int,
    pick: (list) => list[int(list.length)] as never,
    chance: (percent) => int(100) < percent,
    bytes: (count) => Buffer.from(Array.from({ length: count }, () => int(256))),
  };
}
