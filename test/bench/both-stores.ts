import { startPostgres } from '../setup/postgres.ts';
import type { Figure } from './figure.ts';

/** Addresses of two databases, or null for SQLite. */
export type TwoStores = readonly [string | null, string | null];

/** Measures with SQLite, then with PostgreSQL where there is one; `what` names it for a person. */
export async function onBothStores(
  what: string,
  measure: (name: string, databases: TwoStores) => Promise<Figure[]>,
): Promise<Figure[]> {
  const figures = await measure('SQLite', [null, null]);
  for (const line of figures) console.error(`${line.name}: ${line.ratio} (${line.detail})`);
  const postgres = await startPostgres();
  if ('unavailable' in postgres) {
    console.error(`${what} on PostgreSQL is not measured: ${postgres.unavailable}`);
    return figures;
  }
  try {
    const databases = [await postgres.createDatabase(), await postgres.createDatabase()] as const;
    return [...figures, ...(await measure('PostgreSQL', databases))];
  } finally {
    await postgres.stop();
  }
}
