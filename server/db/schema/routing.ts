import type { Backend } from '../../../shared/backends.ts';
import type { ReportProblem } from '../../../shared/report-problems.ts';
import type { AttemptOutcome, CostCertainty } from '../../../shared/states/routing.ts';

/** Counted problems with the reports of a provider. */
export interface RoutingReportTable {
  backend: Backend;
  problem: ReportProblem;
  count: number;
  last_at: string;
}

type Flag = 0 | 1;

/** A way by which faxes to some numbers leave. Those that were removed stay, so that old faxes name theirs. */
export interface DeliveryRouteTable {
  id: string;
  name: string;
  backend: Backend;
  /** JSON: what the numbers begin with, E.164; an empty list for all. */
  prefixes: string;
  /** The lowest goes first. */
  priority: number;
  enabled: Flag;
  /** Calls at once; null for as many as the account can make. */
  lines: number | null;
  /** E.164; null for that of the settings. */
  own_number: string | null;
  header_name: string | null;
  /** True when a fax that definitely failed by it may go by another route. */
  next_allowed: Flag;
  /** Sealed JSON: the settings of its own account by name; null where it uses that of the settings. */
  account: string | null;
  version: number;
  created_at: string;
  updated_at: string;
  removed_at: string | null;
}

/** Rate card of a provider or line, as a person entered it; its prices are in its versions. */
export interface RateCardTable {
  id: string;
  backend: Backend;
  /** Of the faxes of one delivery route alone; null for all that leave by the backend. */
  route_id: string | null;
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
  /** Source from which the prices were taken. */
  source: string;
  valid_from: string;
  created_at: string;
  created_by_name: string;
}

/** The prefixes of the newest versions, so that no two cards of a backend claim the same numbers. */
interface RateCardPrefixTable {
  backend: Backend;
  /** Empty for cards of all routes. */
  route_id: string;
  /** Empty for all numbers. */
  prefix: string;
  card_id: string;
}

/** Cost of one attempt. An attempt that was never accepted is `void`, and counts nowhere. */
export interface AttemptCostTable {
  attempt_id: string;
  job_id: string;
  begun_at: string;
  /** The date where the installation is, as in `2026-11-23`. */
  day: string;
  backend: Backend;
  /** The delivery route; null where no route chose the backend. */
  route_id: string | null;
  mailbox_id: string | null;
  created_by: string;
  /** ISO 3166; empty where the number has none. */
  country: string;
  to_number: string;
  /** Of the document, and how long its call was thought to take. */
  pages: number;
  seconds: number;
  /** Rate card that priced it when it began; null where no card had the number. */
  card_id: string | null;
  card_version: number | null;
  /** Decimal texts with their currencies; null while unknown. */
  estimated: string | null;
  estimated_currency: string | null;
  charged: string | null;
  charged_currency: string | null;
  certainty: CostCertainty | null;
  state: 'begun' | 'ended' | 'settled' | 'void';
  /** Pages that the monthly fee of its card paid for. */
  plan_pages: number;
  /** Outcome; null while it goes on, and where it says nothing about its route, as one that was canceled. */
  outcome: AttemptOutcome | null;
  /** Time at which the outcome was recorded. */
  ended_at: string | null;
  /** Counts the changes, so that no two are made of one. */
  revision: number;
}

/** Sums of a day by every key of cost queries. Attempts of unknown cost are under no currency. */
export interface CostSumTable {
  day: string;
  backend: Backend;
  /** Empty where no route chose the backend. */
  route_id: string;
  /** Empty for none. */
  mailbox_id: string;
  created_by: string;
  country: string;
  currency: string;
  /** Millionths; read as text, since it outgrows a number. */
  amount: string;
  attempts: number;
}

/** Sums of a month by number. */
interface CostNumberTable {
  month: string;
  to_number: string;
  currency: string;
  amount: string;
  attempts: number;
}

/** Pages of a month that the monthly fee of a card paid for. */
interface CostPlanTable {
  card_id: string;
  month: string;
  pages: number;
}

/** Totals of a day that count towards spending limits: of the installation (no principal) and of each sender. */
interface CostTotalTable {
  /** Empty for the installation. */
  principal_id: string;
  day: string;
  /** Empty for attempts of unknown cost. */
  currency: string;
  /** Millionths of attempts that have ended; read as text, since it outgrows a number. */
  spent: string;
  /** Millionths of the estimates of faxes that were accepted and have not ended. */
  reserved: string;
  /** Number of ended attempts. */
  attempts: number;
}

/** The estimate of a fax that has not ended, as it counts towards spending limits. */
export interface CostReserveTable {
  job_id: string;
  /** On which it is sent. */
  day: string;
  created_by: string;
  currency: string;
  /** Decimal text. */
  amount: string;
}

/** The own limit of a person or integration; both amounts null once it was removed. */
export interface SpendingLimitTable {
  principal_id: string;
  version: number;
  currency: string;
  /** Decimal texts; null where what holds for everybody holds. */
  per_day: string | null;
  per_month: string | null;
}

export interface RoutingTables {
  delivery_route: DeliveryRouteTable;
  routing_report: RoutingReportTable;
  rate_card: RateCardTable;
  rate_card_version: RateCardVersionTable;
  rate_card_prefix: RateCardPrefixTable;
  attempt_cost: AttemptCostTable;
  cost_sum: CostSumTable;
  cost_number: CostNumberTable;
  cost_plan: CostPlanTable;
  cost_total: CostTotalTable;
  cost_reserve: CostReserveTable;
  spending_limit: SpendingLimitTable;
}
