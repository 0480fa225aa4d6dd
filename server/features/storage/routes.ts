import { storageRoutes as routes } from '../../../shared/api/storage.ts';
import { type ServedRoute, serve } from '../../http/handler.ts';
import { actorOf } from '../access/service.ts';
import type { StorageService } from './service.ts';

export function storageServedRoutes(service: StorageService): ServedRoute[] {
  return [
    serve(routes.state, async () => service.state()),
    serve(routes.check, ({ body }) => service.check(body.after)),
    serve(routes.move, ({ body, caller }) => service.move(actorOf(caller), body.after)),
    serve(routes.adopt, ({ caller }) => service.adopt(actorOf(caller))),
  ];
}
