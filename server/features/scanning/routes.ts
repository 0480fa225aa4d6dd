import { scanningRoutes as routes } from '../../../shared/api/scanning.ts';
import { type ServedRoute, serve } from '../../http/handler.ts';
import { FileReply } from '../../http/reply.ts';
import type { ScanningService } from './service.ts';

export function scanningServedRoutes(service: ScanningService): ServedRoute[] {
  return [
    serve(routes.listScanners, async ({ caller }) => service.list(caller)),
    serve(routes.listNetworkScanners, ({ caller }) => service.search(caller)),
    serve(routes.getScanner, ({ caller, params }) => service.describe(caller, params.id)),
    serve(routes.createScan, ({ caller, body }) => service.begin(caller, body)),
    serve(routes.getScan, async ({ caller, params }) => service.get(caller, params.id)),
    serve(routes.addPages, ({ caller, params, body }) => service.scanMore(caller, params.id, body)),
    serve(
      routes.getPage,
      async ({ caller, params }) =>
        new FileReply(await service.page(caller, params.id, params.page), { contentType: 'image/jpeg' }),
    ),
    serve(routes.finishScan, ({ caller, params }) => service.finish(caller, params.id)),
    serve(routes.removeScan, async ({ caller, params }) => {
      await service.discard(caller, params.id);
      return { ok: true as const };
    }),
  ];
}
