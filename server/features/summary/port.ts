import type { z } from 'zod';
import type { Costs } from '../../../shared/api/routing-costs.ts';

type DayCosts = z.infer<typeof Costs>['all'];

/** Data sources of a summary in rooms that it does not use itself. */
export interface SummarySources {
  readonly sentFaxes: {
    /** Counts the sent faxes that failed from `since` until before `until`, ISO 8601 UTC. */
    failedBetween(since: string, until: string): Promise<number>;
    /** Counts of faxes by delivery state. */
    readonly service: { counts(): Promise<Record<string, number>> };
  };
  /** Returns the costs of a local day, e.g. `2026-11-23`. */
  costsOfDay(day: string): Promise<DayCosts>;
}
