import type { SummaryState } from '../../../shared/states/summary.ts';

/** The summary of one day, made once. */
export interface SummaryDayTable {
  /** Day in the time zone of the installation, e.g. `2026-11-23`. */
  day: string;
  state: SummaryState;
  version: number;
  /** Problem that prevents its delivery. */
  problem: string | null;
  /** Attempts that were refused. */
  failures: number;
  retry_at: string | null;
  /** JSON: addresses that have it. */
  delivered: string;
  recorded_at: string;
  updated_at: string;
}

export interface SummaryTables {
  summary_day: SummaryDayTable;
}
