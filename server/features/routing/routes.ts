import { rateRoutes } from '../../../shared/api/routing-rates.ts';
import { type ServedRoute, serve } from '../../http/handler.ts';
import type { RateCards } from './rate-cards.ts';

export function rateServedRoutes(cards: RateCards): ServedRoute[] {
  return [
    serve(rateRoutes.listRateCards, ({ query }) => cards.list(query)),
    serve(rateRoutes.getRateCard, ({ params }) => cards.get(params.id)),
    serve(rateRoutes.createRateCard, ({ caller, body: { backend, ...prices } }) =>
      cards.create(caller, backend, prices),
    ),
    serve(rateRoutes.changeRateCard, ({ caller, params, body: { version, ...prices } }) =>
      cards.change(caller, { id: params.id, version }, prices),
    ),
    serve(rateRoutes.removeRateCard, ({ caller, params, body }) =>
      cards.remove(caller, { id: params.id, version: body.version }),
    ),
  ];
}
