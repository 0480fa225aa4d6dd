import type { Kysely } from 'kysely';
import { firstRelease } from './001-first-release.ts';

/** Never edited after a release; table types are not used, because they move on. */
export interface Migration {
  readonly name: string;
  up(db: Kysely<unknown>): Promise<void>;
}

export const migrations: readonly Migration[] = [firstRelease];
