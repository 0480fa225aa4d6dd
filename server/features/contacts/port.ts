import type { ReadDb } from '../../db/database.ts';
import type { Caller } from '../access/service.ts';

/** Facts about a number from its faxes. */
export interface NumberFacts {
  /** ISO 8601 UTC; null when no fax reached it. */
  readonly last_success_at: string | null;
  /** Faxes that failed in the last 30 days, since one last reached it. */
  readonly recent_failures: number;
}

/** Filled by the room of sent faxes, which is a higher one. */
export interface NumberMemory {
  /** By E.164 number, of the faxes that the caller may see; a number that none was sent to is left out. */
  factsOf(caller: Caller, numbers: readonly string[]): Promise<ReadonlyMap<string, NumberFacts>>;
  /** Of E.164 numbers, those that a fax was sent to which the caller may see. */
  seenNumbers(caller: Caller, numbers: readonly string[]): Promise<ReadonlySet<string>>;
}

/** The delivery routes that contacts may name; filled by the composition root. */
export interface KnownRoutes {
  /** By id, of those that were not removed. */
  namesOf(db: ReadDb, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}
