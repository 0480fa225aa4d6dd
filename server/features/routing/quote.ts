import type { z } from 'zod';
import type { Quote, QuotedRoute } from '../../../shared/api/routing-costs.ts';
import type { Database } from '../../db/database.ts';
import { typicalCallSeconds } from '../../documents/documents.ts';
import type { Clock } from '../../platform/clock.ts';
import { countryOf, requestedNumber } from '../../platform/phone-number.ts';
import type { Caller } from '../access/service.ts';
import { badNumber } from './errors.ts';
import { type Estimate, estimate } from './estimate.ts';
import type { PlannedStep, PlanSteps } from './port.ts';
import type { SpendingGate } from './spending/gate.ts';
import { hasCards } from './store/card-store.ts';

export interface QuoteParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly timeZone: () => string | null;
  /** The default country of numbers. */
  readonly country: () => string;
  /** Returns the display name of a backend. */
  readonly nameOf: (backend: string) => string;
  readonly planSteps: PlanSteps;
  readonly spending: Pick<SpendingGate, 'isOn' | 'preview'>;
}

/** Fax to quote; the number as typed. */
interface QuoteRequest {
  readonly to: string;
  readonly pages: number;
  readonly seconds?: number | undefined;
  readonly by_call: boolean;
  /** ISO 8601 with any offset; omitted for now. */
  readonly send_at?: string | undefined;
}

/** Throws 400 for a number that is none. */
export async function quote(
  parts: QuoteParts,
  caller: Caller,
  request: QuoteRequest,
): Promise<z.infer<typeof Quote>> {
  const { pages, by_call: byCall } = request;
  const to = requestedNumber(request.to, parts.country());
  if (to === null) throw badNumber();
  const seconds = request.seconds ?? typicalCallSeconds(pages);
  const at = request.send_at === undefined ? null : Date.parse(request.send_at);
  const planned = await parts.planSteps({ to, byCall });
  const ways = [];
  const first = 'ways' in planned ? planned.ways[0] : undefined;
  for (const way of 'ways' in planned ? planned.ways : [])
    ways.push(await quoteStep(parts, way, { to, pages, seconds }));
  return {
    to,
    country: countryOf(to),
    pages,
    seconds,
    seconds_from: request.seconds === undefined ? 'pages' : 'given',
    ways,
    held: await holdReason(parts, caller, first, { to, pages, seconds, at }),
    refusal: 'refusal' in planned ? planned.refusal : null,
    has_rate_cards: await hasCards(parts.db.read),
  };
}

/** Returns a sentence that says why the fax would be held; null when it would not. */
async function holdReason(
  { db, spending }: QuoteParts,
  caller: Caller,
  first: PlannedStep | undefined,
  fax: { to: string; pages: number; seconds: number; at: number | null },
): Promise<string | null> {
  if (!first || !isCalled(first) || !spending.isOn()) return null;
  const { backend, route } = first;
  const { id: createdBy, displayName: createdByName } = caller.principal;
  return spending.preview(db.read, { ...fax, backend, routeId: route?.id ?? null, createdBy, createdByName });
}

const isCalled = ({ kind }: Pick<PlannedStep, 'kind'>): boolean => kind !== 'own_number' && kind !== 'direct';

async function quoteStep(
  { db, clock, timeZone, nameOf }: QuoteParts,
  { kind, backend, route, reason: chosen_by }: PlannedStep,
  fax: { to: string; pages: number; seconds: number },
): Promise<z.infer<typeof QuotedRoute>> {
  if (!isCalled({ kind }))
    return {
      backend,
      name: kind === 'direct' ? 'Direct delivery' : 'Faxdesk',
      route: null,
      chosen_by,
      seconds: 0,
      free: true,
      amount: null,
      rate_card: null,
      reason:
        kind === 'direct'
          ? 'It is delivered directly, without a call, so nothing is billed.'
          : 'It is delivered here without a call, so nothing is billed.',
    };
  const found = await estimate(db.read, {
    ...fax,
    backend,
    routeId: route?.id ?? null,
    at: clock.now(),
    timeZone: timeZone(),
  });
  const name = nameOf(backend);
  return {
    backend,
    name: route?.name ?? name,
    route,
    chosen_by,
    seconds: fax.seconds,
    free: false,
    amount: found.amount,
    rate_card: cardOf(found),
    reason: reasonOf(found, name),
  };
}

function cardOf({ card }: Estimate): z.infer<typeof QuotedRoute>['rate_card'] {
  if (card === null) return null;
  const { card_id: id, version, source, valid_from } = card.version;
  return { id, version, prefix: card.prefix, source, valid_from };
}

function reasonOf({ card, planPages }: Estimate, name: string): string {
  if (card === null) return `No rate card of ${name} covers this number, so the cost is unknown.`;
  const numbers = card.prefix === '' ? 'all numbers' : `numbers that begin with ${card.prefix}`;
  const fee =
    planPages === 0 ? '' : ` The monthly fee pays for ${planPages === 1 ? '1 page' : `${planPages} pages`}.`;
  return `By the rate card of ${name} for ${numbers}.${fee}`;
}
