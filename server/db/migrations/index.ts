import { firstRelease } from './001-first-release.ts';
import type { Migration } from './migration.ts';

/** In the order in which they run. */
export const migrations: readonly Migration[] = [firstRelease];
