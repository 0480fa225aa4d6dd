/** Values of a figure, one each minute. */
export interface Series {
  readonly name: string;
  readonly values: number[];
  /** Growth from the first to the last third that is no leak: the share of it, and in its unit. */
  readonly slack: number;
}

const MAX_SHARE = 0.15;
/** Values without which nothing can be said about growth: a page is warm after ten minutes. */
const LEAST = 30;

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

/** Growth per value by least squares. */
function slopeOf(values: readonly number[]): number {
  const [middle, average] = [(values.length - 1) / 2, mean(values)];
  const parts = values.map((value, at) => [(at - middle) * (value - average), (at - middle) ** 2] as const);
  return (
    parts.reduce((sum, [up]) => sum + up, 0) /
    Math.max(
      1,
      parts.reduce((sum, [, across]) => sum + across, 0),
    )
  );
}

/** Describes a series by its thirds and its slope for an hour, and says if it grows. */
export function describeSeries({ name, values, slack }: Series): { line: string; isFlat: boolean } {
  const third = Math.max(1, Math.floor(values.length / 3));
  const [first, last] = [mean(values.slice(0, third)), mean(values.slice(-third))];
  const growth = last - first;
  const isFlat = values.length < LEAST || growth <= Math.max(slack, first * MAX_SHARE);
  const figures = `${first.toFixed(1)} in the first third, ${last.toFixed(1)} in the last, ${(slopeOf(values) * 60).toFixed(1)} an hour`;
  return { line: `${name}: ${figures} (${values.length} values)`, isFlat };
}
