import type { Database } from '../../db/database.ts';
import type { Clock } from '../../platform/clock.ts';
import type { SecurityAudit } from '../audit/service.ts';
import { defineRoom, type Room } from '../room.ts';
import { createRateCards } from './rate-cards.ts';
import { createReportProblems, type ReportProblems } from './report-problems.ts';
import { rateServedRoutes } from './routes.ts';
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
  { db, clock, audit }: { readonly db: Database; readonly clock: Clock; readonly audit: SecurityAudit },
): RoutingRoom {
  const reportProblems = createReportProblems(db, clock);
  const cards = createRateCards({ db, clock, audit, isBackend: (name) => service.cloud(name) !== null });
  const room = defineRoom({
    name: 'routing',
    served: rateServedRoutes(cards),
    settings: { names: ['FAX_BACKEND'], changed: async () => undefined },
    stop: () => reportProblems.flush(),
    warnings: () => reportProblems.warnings(),
  });
  return { ...room, service, reportProblems };
}
