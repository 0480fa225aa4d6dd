import type { TestProject } from 'vitest/node';
import { startPostgres } from './postgres.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** URL of the run's PostgreSQL server (database `postgres`), null when there is none. */
    postgresUrl: string | null;
    /** Why there is no PostgreSQL, for the reason of a skipped test; null when there is one. */
    postgresUnavailable: string | null;
  }
}

/** Starts what all test files share, once in a run; stops it at the end. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startPostgres();
  if ('unavailable' in postgres) {
    project.provide('postgresUrl', null);
    project.provide('postgresUnavailable', postgres.unavailable);
    return async () => {};
  }
  project.provide('postgresUrl', postgres.url('postgres'));
  project.provide('postgresUnavailable', null);
  return () => postgres.stop();
}
