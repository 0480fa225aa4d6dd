import type { TestProject } from 'vitest/node';
import { buildConsoleIfStale } from '../../scripts/build-console.ts';
import { startPostgres } from './postgres.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** URL of the run's PostgreSQL server (database `postgres`), null when there is none. */
    postgresUrl: string | null;
    /** Why there is no PostgreSQL, for the reason of a skipped test; null when there is one. */
    postgresUnavailable: string | null;
    /** Why the console could not be built; null when it stands in `out/console`. */
    consoleProblem: string | null;
  }
}

/** Starts what all test files share, once in a run; stops it at the end. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  project.provide('consoleProblem', (await hasBrowserTests(project)) ? await buildConsole() : null);
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

/** A run of other tests alone needs no console. */
async function hasBrowserTests(project: TestProject): Promise<boolean> {
  const filters = process.argv.slice(2).filter((word) => word !== 'run' && !word.startsWith('-'));
  const { testFiles } = await project.globTestFiles(filters);
  return testFiles.some((file) => /\/test\/(browser|desktop)\//u.test(file));
}

/** A console that cannot be built fails the tests that look at it, not the others. */
async function buildConsole(): Promise<string | null> {
  try {
    await buildConsoleIfStale();
    return null;
  } catch (error) {
    return String(error);
  }
}
