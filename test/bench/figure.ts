/** One figure of a bench. */
export interface Figure {
  name: string;
  ratio: number;
  /** `ratio` must not be below it; with `atMost`, not above it. */
  bar: number;
  atMost?: boolean;
  unit: string;
  detail: string;
}

export function isMet({ ratio, bar, atMost }: Figure): boolean {
  return atMost ? ratio <= bar : ratio >= bar;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/** Runs the given measurements in turns (A B A B …) and answers the values of each. */
export async function measureInTurns(
  rounds: number,
  measurements: readonly (() => Promise<number>)[],
): Promise<number[][]> {
  const values: number[][] = measurements.map(() => []);
  for (let round = 0; round < rounds; round += 1)
    for (const [i, measure] of measurements.entries()) values[i]?.push(await measure());
  return values;
}

/** The median of the ratios of each round: what slows one round slows both of its sides. */
export function ratioOf(values: readonly number[] = [], reference: readonly number[] = []): number {
  return Number(median(values.map((value, i) => value / (reference[i] ?? Number.NaN))).toFixed(2));
}
