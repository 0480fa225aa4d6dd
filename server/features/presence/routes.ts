import { presenceRoutes as routes } from '../../../shared/api/presence.ts';
import { type ServedRoute, serve } from '../../http/handler.ts';
import type { PresenceService } from './service.ts';

export function presenceServedRoutes(service: PresenceService): ServedRoute[] {
  return [
    serve(routes.listPresence, async ({ caller }) => service.list(caller)),
    serve(routes.reportPresence, ({ caller, body }) =>
      service.report(caller, { window: body.window, faxId: body.fax_id }),
    ),
  ];
}
