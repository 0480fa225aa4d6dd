import type { Kysely } from 'kysely';

/** Never edited after a release; table types are not used, because they move on. */
export interface Migration {
  readonly name: string;
  up(db: Kysely<unknown>): Promise<void>;
}
