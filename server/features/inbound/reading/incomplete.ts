import type { Database } from '../../../db/database.ts';
import { countIncomplete, incompleteAmong } from '../store/fax-store.ts';

/** Received faxes that may lack pages, for rooms that have checked access to them. */
export interface IncompleteFaxes {
  /** Returns those among the faxes that may lack pages, by id, each with a sentence that says how many came. */
  textsByFax(faxIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Counts those recorded from one time until before another, ISO 8601 UTC. */
  count(since: string, until: string): Promise<number>;
}

export function createIncompleteFaxes({ db }: { readonly db: Database }): IncompleteFaxes {
  return {
    textsByFax: (faxIds) => incompleteAmong(db.read, faxIds),
    count: (since, until) => countIncomplete(db.read, since, until),
  };
}
