import { type SqlBool, sql } from 'kysely';

/**
 * Returns the condition that the column `search_text` contains one of the texts, as `platform/search-text.ts` folds
 * both.
 */
export function containsAny(texts: readonly string[]) {
  return sql<SqlBool>`(${sql.join(texts.map(contains), sql` or `)})`;
}

/** Returns the condition that the other one is true, or that a stored time is within the span. */
export function isOnDayOr(
  other: ReturnType<typeof containsAny>,
  { since, until }: { readonly since: string; readonly until: string },
  column: string,
) {
  const time = sql.ref(column);
  return sql<SqlBool>`(${other} or (${time} >= ${since} and ${time} < ${until}))`;
}

function contains(text: string) {
  const part = `%${text.replaceAll(/[\\%_]/gu, '\\$&')}%`;
  return sql<SqlBool>`search_text like ${part} escape '\\'`;
}
