import type { z } from 'zod';
import type { Plan, Plans } from '../../../shared/api/routing-costs.ts';
import { moneyOf } from '../../../shared/money.ts';
import type { Database } from '../../db/database.ts';
import { type Clock, isoTime } from '../../platform/clock.ts';
import { localIsoMonth } from '../../platform/local-days.ts';
import { currentVersions } from './choose-card.ts';
import { storedMillionths } from './estimate.ts';
import { routesOfCards, validVersions } from './store/card-store.ts';
import { planPagesOf } from './store/cost-store.ts';
import type { VersionRow } from './types.ts';

export interface PlanParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly timeZone: () => string | null;
  /** Returns the display name of a backend. */
  readonly nameOf: (backend: string) => string;
}

/** Lists the monthly fees in force now, with the pages that they cover and how many are used and left this month. */
export async function listPlans({ db, clock, timeZone, nameOf }: PlanParts): Promise<z.infer<typeof Plans>> {
  const now = clock.now();
  const month = localIsoMonth(now, timeZone());
  const versions = currentVersions(await validVersions(db.read, { at: isoTime(now) })).filter(
    ({ monthly_fee, included_pages }) => monthly_fee !== null || included_pages !== null,
  );
  const used = await planPagesOf(db.read, month);
  const routes = await routesOfCards(db.read);
  const found = versions.map((version) => ({
    ...presentPlan(version, nameOf, used.get(version.card_id) ?? 0),
    route: routes.get(version.card_id) ?? null,
  }));
  const order = ({ name, prefixes }: z.infer<typeof Plan>) => `${name} ${prefixes.join(' ')}`;
  found.sort((a, b) => order(a).localeCompare(order(b), 'en'));
  return { month, plans: found, fees: feesOf(versions) };
}

function presentPlan(
  version: VersionRow,
  nameOf: (backend: string) => string,
  used: number,
): Omit<z.infer<typeof Plan>, 'route'> {
  const { backend, monthly_fee, included_pages, currency } = version;
  return {
    rate_card: { id: version.card_id, version: version.version },
    backend,
    name: nameOf(backend),
    prefixes: JSON.parse(version.prefixes) as string[],
    monthly_fee: monthly_fee === null ? null : moneyOf(storedMillionths(monthly_fee), currency),
    included_pages,
    used_pages: used,
    left_pages: included_pages === null ? null : Math.max(included_pages - used, 0),
  };
}

/** Sums the monthly fees of each currency. */
function feesOf(versions: readonly VersionRow[]) {
  const fees = new Map<string, bigint>();
  for (const { currency, monthly_fee } of versions)
    if (monthly_fee !== null) fees.set(currency, (fees.get(currency) ?? 0n) + storedMillionths(monthly_fee));
  const byCode = [...fees].sort(([a], [b]) => (a < b ? -1 : 1));
  return byCode.map(([currency, fee]) => moneyOf(fee, currency));
}
