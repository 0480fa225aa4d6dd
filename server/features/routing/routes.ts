import { costRoutes } from '../../../shared/api/routing-costs.ts';
import { destinationRoutes } from '../../../shared/api/routing-destinations.ts';
import { limitRoutes } from '../../../shared/api/routing-limits.ts';
import { rateRoutes } from '../../../shared/api/routing-rates.ts';
import { deliveryRoutes } from '../../../shared/api/routing-routes.ts';
import { type ServedRoute, serve } from '../../http/handler.ts';
import { FileReply } from '../../http/reply.ts';
import { type CostParts, costliestNumbers, costs, costsAsCsv } from './costs.ts';
import type { DeliveryRoutes } from './delivery-route.ts';
import { type DestinationParts, destination, destinations } from './destinations.ts';
import { listPlans, type PlanParts } from './plans.ts';
import { type QuoteParts, quote } from './quote.ts';
import type { RateCards } from './rate-cards.ts';
import type { PersonLimits } from './spending/person-limits.ts';

export function deliveryServedRoutes(routes: DeliveryRoutes): ServedRoute[] {
  return [
    serve(deliveryRoutes.listDeliveryRoutes, ({ query }) => routes.list(query)),
    serve(deliveryRoutes.getDeliveryRoute, ({ params }) => routes.get(params.id)),
    serve(deliveryRoutes.createDeliveryRoute, ({ caller, body }) => routes.create(caller, body)),
    serve(deliveryRoutes.changeDeliveryRoute, ({ caller, params, body: { version, ...patch } }) =>
      routes.change(caller, { id: params.id, version }, patch),
    ),
    serve(deliveryRoutes.removeDeliveryRoute, ({ caller, params, body }) =>
      routes.remove(caller, { id: params.id, version: body.version }),
    ),
  ];
}

export function rateServedRoutes(cards: RateCards): ServedRoute[] {
  return [
    serve(rateRoutes.listRateCards, ({ query }) => cards.list(query)),
    serve(rateRoutes.getRateCard, ({ params }) => cards.get(params.id)),
    serve(rateRoutes.createRateCard, ({ caller, body: { backend, route_id, ...prices } }) =>
      cards.create(caller, { backend, route_id }, prices),
    ),
    serve(rateRoutes.changeRateCard, ({ caller, params, body: { version, ...prices } }) =>
      cards.change(caller, { id: params.id, version }, prices),
    ),
    serve(rateRoutes.removeRateCard, ({ caller, params, body }) =>
      cards.remove(caller, { id: params.id, version: body.version }),
    ),
  ];
}

export function costServedRoutes(parts: CostParts & PlanParts & QuoteParts): ServedRoute[] {
  return [
    serve(costRoutes.quote, ({ caller, query }) => quote(parts, caller, query)),
    serve(costRoutes.costs, ({ query }) => costs(parts, query)),
    serve(costRoutes.exportCosts, async ({ query }) => {
      const found = await costs(parts, query);
      return new FileReply(Buffer.from(costsAsCsv(found)), {
        contentType: 'text/csv; charset=utf-8',
        fileName: `faxdesk-costs-${found.from}-${found.to}.csv`,
      });
    }),
    serve(costRoutes.dearNumbers, ({ caller, query }) => costliestNumbers(parts, caller, query.month)),
    serve(costRoutes.plans, () => listPlans(parts)),
  ];
}

export function destinationServedRoutes(parts: DestinationParts): ServedRoute[] {
  return [
    serve(destinationRoutes.listDestinations, ({ caller, query }) => destinations(parts, caller, query)),
    serve(destinationRoutes.getDestination, ({ caller, params }) =>
      destination(parts, caller, params.number),
    ),
  ];
}

export function limitServedRoutes(limits: PersonLimits): ServedRoute[] {
  return [
    serve(limitRoutes.spendingLimits, () => limits.installation()),
    serve(limitRoutes.listPersonLimits, ({ query }) => limits.list(query)),
    serve(limitRoutes.personLimit, ({ params }) => limits.get(params.id)),
    serve(limitRoutes.setPersonLimit, ({ caller, params, body }) => limits.set(caller, params.id, body)),
  ];
}
