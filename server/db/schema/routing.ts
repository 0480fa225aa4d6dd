import type { ReportProblem } from '../../../shared/report-problems.ts';
import type { Backend } from '../../../shared/states.ts';

/** What went wrong with the reports of a provider, counted. */
export interface RoutingReportTable {
  backend: Backend;
  problem: ReportProblem;
  count: number;
  last_at: string;
}

/** What a provider or line bills, as somebody entered it; its prices are in its versions. */
export interface RateCardTable {
  id: string;
  backend: Backend;
  /** The newest one. */
  version: number;
  /** From when it prices nothing new; null while it does. */
  removed_at: string | null;
}

/** Never changed and never removed: an old fax keeps the price that it had. */
export interface RateCardVersionTable {
  card_id: string;
  version: number;
  backend: Backend;
  currency: string;
  /** Decimal texts; null where nothing is billed so. */
  per_page: string | null;
  per_minute: string | null;
  per_fax: string | null;
  monthly_fee: string | null;
  increment_seconds: number;
  minimum_seconds: number;
  /** Pages of each month that the fee pays for; null for none. */
  included_pages: number | null;
  /** JSON: what the numbers begin with, E.164; an empty list for all. */
  prefixes: string;
  /** Where the prices were read. */
  source: string;
  valid_from: string;
  created_at: string;
  created_by_name: string;
}

/** The prefixes of the newest versions, so that no two cards of a backend claim the same numbers. */
export interface RateCardPrefixTable {
  backend: Backend;
  /** Empty for all numbers. */
  prefix: string;
  card_id: string;
}

export interface RoutingTables {
  routing_report: RoutingReportTable;
  rate_card: RateCardTable;
  rate_card_version: RateCardVersionTable;
  rate_card_prefix: RateCardPrefixTable;
}
