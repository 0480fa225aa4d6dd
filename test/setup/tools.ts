import { inject } from 'vitest';
import { createPostgresDatabase } from './postgres.ts';
import { toolPath } from './tool-path.ts';

export { toolPath } from './tool-path.ts';

/** The part of vitest's test context that skips a test and keeps the reason. */
export interface Skippable {
  skip(reason?: string): never;
}

/**
 * Skips the running test, with the reason, when one of the programs is missing. Call it first in a test or in
 * `beforeEach((context) => needTools(context, 'tiffinfo'))`.
 */
export function needTools(context: Skippable, ...names: string[]): void {
  const missing = names.filter((name) => toolPath(name) === null);
  if (missing.length > 0) context.skip(`not installed: ${missing.join(', ')}`);
}

/** Creates an empty database on the run's PostgreSQL server; skips the running test, with the reason, when there is none. */
export async function needPostgres(context: Skippable): Promise<string> {
  const baseUrl = inject('postgresUrl');
  if (baseUrl === null) return context.skip(inject('postgresUnavailable') ?? 'no PostgreSQL');
  return await createPostgresDatabase(baseUrl);
}
