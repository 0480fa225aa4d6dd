import { archivesRoutes as routes } from '../../../shared/api/archives.ts';
import { type ServedRoute, serve } from '../../http/handler.ts';
import { FileReply } from '../../http/reply.ts';
import { uploadedBytes } from '../../http/uploaded-bytes.ts';
import type { ArchivesService } from './service.ts';

export function archivesServedRoutes(service: ArchivesService): ServedRoute[] {
  const { removals } = service;
  return [
    serve(routes.addArchivePiece, async ({ caller, params: { id }, query: { offset }, files: [piece] }) => {
      const bytes = piece === undefined ? new Uint8Array() : await uploadedBytes(piece);
      return { upload_id: id, size_bytes: await service.addPiece(caller, id, offset, bytes) };
    }),
    serve(routes.createArchiveRemoval, ({ caller, body: { upload_id, year, month = null } }) =>
      service.createRemoval(caller, upload_id, { year, month }),
    ),
    serve(routes.listArchiveRemovals, async () => ({ removals: await removals.list() })),
    serve(routes.getArchiveRemoval, ({ params }) => removals.get(params.id)),
    serve(routes.startArchiveRemoval, ({ caller, params, body: { version } }) =>
      service.startRemoval(caller, { id: params.id, version }),
    ),
    serve(routes.endArchiveRemoval, ({ caller, params, body: { version } }) =>
      removals.end(caller, { id: params.id, version }),
    ),
    serve(routes.exportArchive, async ({ caller, currentCaller, params, query, request }) => {
      const isEmpty = request.method === 'HEAD';
      const wanted = { year: params.year, month: query.month ?? null };
      const { stream, fileName } = await service.export({ caller, currentCaller, isEmpty }, wanted);
      const headers = { 'Content-Disposition': `attachment; filename="${fileName}"` };
      return new FileReply(stream, { contentType: 'application/zip', headers });
    }),
  ];
}
