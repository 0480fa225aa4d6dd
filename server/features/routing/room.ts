import type { Database } from '../../db/database.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Seal } from '../../platform/seal.ts';
import type { SecurityAudit } from '../audit/service.ts';
import { defineRoom, type Room } from '../room.ts';
import type { SettingsService } from '../settings/service.ts';
import { type CostBook, createCostBook } from './cost-book.ts';
import { type CostsAnswer, costs as costsOf } from './costs.ts';
import { createDeliveryRoutes } from './delivery-route.ts';
import type { FindContacts, PlanSteps } from './port.ts';
import { createRateCards } from './rate-cards.ts';
import { createReportProblems, type ReportProblems } from './report-problems.ts';
import { createRouteChoice, type RouteChoice } from './route-choice.ts';
import {
  costServedRoutes,
  deliveryServedRoutes,
  destinationServedRoutes,
  limitServedRoutes,
  rateServedRoutes,
} from './routes.ts';
import type { Routing } from './service.ts';
import { createSpendingGate, type SpendingGate } from './spending/gate.ts';
import { createPersonLimits } from './spending/person-limits.ts';
import { SPENDING_SETTINGS, spendingSettings, spendingWarnings } from './spending/settings.ts';

export { createReportProblems } from './report-problems.ts';

interface RoutingRoom extends Room {
  readonly service: Routing;
  /** Chooses the routes of a fax. */
  readonly choice: RouteChoice;
  /** Services for the room of sent faxes: it records the costs of attempts and queries the spending limits. */
  readonly faxServices: { readonly costs: CostBook; readonly spending: SpendingGate };
  /**
   * Returns the known costs of one day in the zone of the installation (`2026-11-23`), and the number of attempts of
   * unknown cost.
   */
  costsOfDay(day: string): Promise<CostsAnswer['all']>;
  /** Counts the problems with the reports of providers, whichever room they are for. */
  readonly reportProblems: ReportProblems;
}

interface RoutingParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: SecurityAudit;
  readonly settings: SettingsService;
  readonly seal: Seal;
  /** Plans a fax, for quotes. */
  readonly planSteps: PlanSteps;
  /** Contacts of the numbers that cost most. */
  readonly contactsOf: FindContacts;
}

/** Creates the room that chooses the transports of a fax and tracks how the providers perform. */
export function createRouting(service: Routing, parts: RoutingParts): RoutingRoom {
  const { db, clock, audit, settings, planSteps, contactsOf } = parts;
  const reportProblems = createReportProblems(db, clock);
  const timeZone = () => settings.get('TIME_ZONE');
  const costs = createCostBook({ clock, timeZone });
  const limits = spendingSettings(settings);
  const spending = createSpendingGate({ db, clock, timeZone, settings: limits });
  const cards = createRateCards({ db, clock, audit, isBackend: (name) => service.provider(name) !== null });
  const country = () => settings.get('FAX_DEFAULT_COUNTRY');
  const routes = createDeliveryRoutes({ ...parts, routing: service, country });
  const queryParts = {
    db,
    clock,
    timeZone,
    country,
    nameOf: (backend: string) => service.names()[backend] ?? backend,
    contactsOf,
  };
  const room = defineRoom({
    name: 'routing',
    served: [
      ...deliveryServedRoutes(routes),
      ...rateServedRoutes(cards),
      ...costServedRoutes({ ...queryParts, spending, planSteps }),
      ...destinationServedRoutes(queryParts),
      ...limitServedRoutes(createPersonLimits({ db, clock, audit, timeZone, settings: limits })),
    ],
    settings: {
      names: ['FAX_BACKEND', 'FAX_DEFAULT_COUNTRY', 'TIME_ZONE', ...SPENDING_SETTINGS],
      changed: async () => undefined,
    },
    stop: () => reportProblems.flush(),
    warnings: async () => [...(await reportProblems.warnings()), ...spendingWarnings(limits)],
  });
  return {
    ...room,
    service,
    choice: createRouteChoice({ ...parts, routing: service }),
    faxServices: { costs, spending },
    reportProblems,
    costsOfDay: async (day) => (await costsOf(queryParts, { from: day, to: day, group_by: 'day' })).all,
  };
}
