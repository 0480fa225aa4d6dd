import { dataKeyRoutes as routes } from '../../../shared/api/data-key.ts';
import { type ServedRoute, serve } from '../../http/handler.ts';
import { actorOf } from '../access/service.ts';
import type { DataKeyService } from './service.ts';

export function dataKeyServedRoutes(service: DataKeyService): ServedRoute[] {
  return [
    serve(routes.state, () => service.state()),
    serve(routes.replace, ({ body, caller }) =>
      service.replace(actorOf(caller), { leaveUnreadable: body.leave_unreadable }),
    ),
  ];
}
