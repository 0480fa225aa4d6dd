import type { Database } from '../../db/database.ts';
import type { Clock } from '../../platform/clock.ts';
import { defineRoom, type Room } from '../room.ts';
import { createReportProblems, type ReportProblems } from './report-problems.ts';
import type { Routing } from './service.ts';

export { createReportProblems } from './report-problems.ts';

export interface RoutingRoom extends Room {
  readonly service: Routing;
  /** Counts what goes wrong with the reports of providers, whichever room they are for. */
  readonly reportProblems: ReportProblems;
}

/** The room that chooses the way out of a fax, and knows how the providers do. */
export function createRouting(
  service: Routing,
  { db, clock }: { readonly db: Database; readonly clock: Clock },
): RoutingRoom {
  const reportProblems = createReportProblems(db, clock);
  const room = defineRoom({
    name: 'routing',
    settings: { names: ['FAX_BACKEND'], changed: async () => undefined },
    stop: () => reportProblems.flush(),
    warnings: () => reportProblems.warnings(),
  });
  return { ...room, service, reportProblems };
}
