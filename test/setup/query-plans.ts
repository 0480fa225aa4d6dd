import type { CompiledQuery, Kysely } from 'kysely';
import type { Tables } from '../../server/db/schema/tables.ts';
import type { TestStore } from './stores.ts';

/** A query that ran, with the lines of the database's plan for it. */
interface QueryPlan {
  readonly sql: string;
  readonly lines: string[];
}

/** Returns the plans of the queries that `run` makes through the database that it is given, outside of transactions. */
export async function plansOf(
  { db, name }: TestStore,
  run: (db: Kysely<Tables>) => Promise<unknown>,
): Promise<QueryPlan[]> {
  const queries: CompiledQuery[] = [];
  const executor = db.unrestricted.getExecutor();
  const { executeQuery } = executor;
  executor.executeQuery = async (query, ...more) => {
    queries.push(query);
    return (await executeQuery.call(executor, query, ...more)) as never;
  };
  try {
    await run(db.unrestricted);
  } finally {
    executor.executeQuery = executeQuery;
  }
  const explain = name === 'sqlite' ? 'explain query plan ' : 'explain ';
  const plans: QueryPlan[] = [];
  for (const query of queries) {
    const explained = { ...query, sql: explain + query.sql };
    const { rows } = await db.unrestricted.executeQuery<Record<string, unknown>>(explained);
    plans.push({ sql: query.sql, lines: rows.map((row) => String(row['detail'] ?? row['QUERY PLAN'])) });
  }
  return plans;
}
