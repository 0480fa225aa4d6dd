import { noticesRoutes as routes } from '../../../shared/api/notices.ts';
import { DEPRECATIONS } from '../../../shared/deprecations.ts';
import { type ServedRoute, serve } from '../../http/handler.ts';
import type { NumberCheck } from './port.ts';
import type { NoticesService } from './service.ts';

interface NoticeSources {
  /** Returns the names in the environment that belonged to removed parts. */
  readonly ignoredSettings: () => readonly string[];
  readonly numberChecks: () => Promise<readonly NumberCheck[]>;
}

export function noticesServedRoutes(
  service: NoticesService,
  { ignoredSettings, numberChecks }: NoticeSources,
): ServedRoute[] {
  return [
    serve(routes.list, async ({ caller }) => ({
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
      number_checks: caller.holds('settings:read') ? [...(await numberChecks())] : [],
    })),
  ];
}
