import type { ReportProblem } from '../../../shared/report-problems.ts';
import type { Backend } from '../../../shared/states.ts';

/** What went wrong with the reports of a provider, counted. */
export interface RoutingReportTable {
  backend: Backend;
  problem: ReportProblem;
  count: number;
  last_at: string;
}

export interface RoutingTables {
  routing_report: RoutingReportTable;
}
