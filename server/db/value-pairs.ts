import { type RawBuilder, sql } from 'kysely';

/** Returns pairs to select from, as `column1` and `column2`: both databases name the columns of a list of values so. */
export function valuePairs(
  pairs: ReadonlyArray<readonly [string, number]>,
): RawBuilder<{ column1: string; column2: number }> {
  const rows = pairs.map(([text, number]) => sql`(${sql.lit(text)}, ${sql.lit(number)})`);
  return sql`(values ${sql.join(rows)})`;
}
