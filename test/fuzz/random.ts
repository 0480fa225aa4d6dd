/** Chance that is the same for the same seed. */
export interface Random {
  /** From 0 up to and without `below`. */
  int(below: number): number;
  pick<T>(list: readonly T[]): T;
  /** True so many times of a hundred. */
  chance(percent: number): boolean;
  bytes(count: number): Buffer;
}

/** The generator `mulberry32`. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (below: number) => Math.floor(next() * below);
  return {
    int,
    pick: (list) => list[int(list.length)] as never,
    chance: (percent) => int(100) < percent,
    bytes: (count) => Buffer.from(Array.from({ length: count }, () => int(256))),
  };
}
