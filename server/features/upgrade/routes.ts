import { upgradeRoutes as routes } from '../../../shared/api/upgrade.ts';
import { type ServedRoute, serve } from '../../http/handler.ts';
import { decodePosition, encodePosition } from './line-cursor.ts';
import type { UpgradeService } from './service.ts';
import type { EarlierLocation } from './types.ts';

/** The way from an earlier release. */
export function upgradeServedRoutes(service: UpgradeService): ServedRoute[] {
  return [
    serve(routes.state, () => service.state()),
    serve(routes.check, async ({ body }) => {
      service.beginCheck(locationOf(body));
      return { ok: true as const };
    }),
    serve(routes.start, async ({ body, caller }) => {
      await service.start(locationOf(body), caller);
      return { ok: true as const };
    }),
    serve(routes.lines, async ({ query: { limit, cursor } }) => {
      const lines = await service.lines(decodePosition(cursor), limit + 1);
      const items = lines.slice(0, limit);
      const last = lines.length > limit ? items.at(-1) : undefined;
      return {
        items: items.map(({ kind, subjectId, text }) => ({ kind, subject_id: subjectId, text })),
        next_cursor: last === undefined ? null : encodePosition(last.position),
      };
    }),
  ];
}

function locationOf({
  database: from,
  files,
  environment: environmentFile,
}: {
  database: string;
  files: string;
  environment: string | null;
}): EarlierLocation {
  return { from, files, environmentFile };
}
