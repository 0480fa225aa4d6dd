import { importsRoutes as routes } from '../../../shared/api/imports.ts';
import { type ServedRoute, serve } from '../../http/handler.ts';
import type { ImportsService } from './service.ts';

export function importsServedRoutes(service: ImportsService): ServedRoute[] {
  return [
    serve(routes.importDocument, async ({ caller, fields, files }) => {
      const [given] = files;
      const file = given && {
        content: given.content,
        name: given.fileName,
        sha256: given.digest,
        sizeBytes: given.sizeBytes,
      };
      const { importId, inboundId, status } = await service.take(caller, { file, manifest: fields.manifest });
      return { import_id: importId, inbound_id: inboundId, status };
    }),
  ];
}
