import { noticesRoutes as routes } from '../../../shared/api/notices.ts';
import { DEPRECATIONS } from '../../../shared/deprecations.ts';
import { type ServedRoute, serve } from '../../http/handler.ts';
import type { NoticesService } from './service.ts';

/** `ignoredSettings` returns the names in the environment that belonged to removed parts. */
export function noticesServedRoutes(
  service: NoticesService,
  ignoredSettings: () => readonly string[],
): ServedRoute[] {
  return [
    serve(routes.list, async () => ({
      deprecated: (await service.used()).map(({ id, users }) => ({
        id,
        what: DEPRECATIONS[id].what,
        instead: DEPRECATIONS[id].instead,
        sunset: new Date(DEPRECATIONS[id].sunset).toISOString(),
        used_by: users.map(({ userId, userName, firstAt, lastAt }) => ({
          id: id === 'provider_addresses' ? null : userId,
          name: userName,
          first_at: firstAt,
          last_at: lastAt,
        })),
      })),
      ignored_settings: [...ignoredSettings()],
    })),
  ];
}
