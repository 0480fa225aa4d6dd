import { archivesRoutes as routes } from '../../../shared/api/archives.ts';
import { type ServedRoute, serve } from '../../http/handler.ts';
import { FileReply } from '../../http/reply.ts';
import type { ArchivesService } from './service.ts';

export function archivesServedRoutes(service: ArchivesService): ServedRoute[] {
  return [
    serve(routes.exportArchive, async ({ caller, currentCaller, params, query, request }) => {
      const isEmpty = request.method === 'HEAD';
      const wanted = { year: params.year, month: query.month ?? null };
      const { stream, fileName } = await service.export({ caller, currentCaller, isEmpty }, wanted);
      const headers = { 'Content-Disposition': `attachment; filename="${fileName}"` };
      return new FileReply(stream, { contentType: 'application/zip', headers });
    }),
  ];
}
