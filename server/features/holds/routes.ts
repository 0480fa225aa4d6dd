import { holdsRoutes as routes } from '../../../shared/api/holds.ts';
import { type ServedRoute, serve } from '../../http/handler.ts';
import type { HoldsService } from './service.ts';

export function holdsServedRoutes(service: HoldsService): ServedRoute[] {
  return [
    serve(routes.listLegalHolds, ({ query }) => service.list(query)),
    serve(routes.getLegalHold, ({ params }) => service.get(params.id)),
    serve(routes.createLegalHold, ({ caller, body }) => service.place(caller, body)),
    serve(routes.releaseLegalHold, ({ caller, params, body: { version, note } }) =>
      service.release(caller, { id: params.id, version }, note),
    ),
  ];
}
