import { type SqlBool, sql } from 'kysely';

/**
 * Returns the condition that the column `search_text` contains one of the texts, as `platform/search-text.ts` folds
 * both.
 */
export function containsAny(texts: readonly string[]) {
  return sql<SqlBool>`(${sql.join(texts.map(contains), sql` or `)})`;
}

function contains(text: string) {
  const part = `%${text.replaceAll(/[\\%_]/gu, '\\$&')}%`;
  return sql<SqlBool>`search_text like ${part} escape '\\'`;
}
