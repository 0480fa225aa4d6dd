import type { RoutingReportTable } from '../../db/schema/routing.ts';

/** What went wrong with the reports of a provider: how often, and when last (ISO 8601 UTC). */
export type CountedReport = RoutingReportTable;
