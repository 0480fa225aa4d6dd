import type {
  AttemptCostTable,
  DeliveryRouteTable,
  RateCardTable,
  RateCardVersionTable,
  RoutingReportTable,
} from '../../db/schema/routing.ts';

/** Problem with the reports of a provider: its count and last time (ISO 8601 UTC). */
export type CountedReport = RoutingReportTable;

export type RouteRow = DeliveryRouteTable;
export type { AttemptOutcome } from '../../../shared/states/routing.ts';
export type CardRow = RateCardTable;
export type VersionRow = RateCardVersionTable;
export type CostRow = AttemptCostTable;
