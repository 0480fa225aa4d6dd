import { coversRoutes as routes } from '../../../shared/api/covers.ts';
import { type ServedRoute, serve } from '../../http/handler.ts';
import { FileReply } from '../../http/reply.ts';
import { uploadedBytes } from '../../http/uploaded-bytes.ts';
import { sha256Hex } from '../../platform/hash.ts';
import type { CoversService } from './service.ts';

export function coversServedRoutes(service: CoversService): ServedRoute[] {
  return [
    serve(routes.listCovers, ({ caller, query }) => service.list(caller, query)),
    serve(routes.previewCover, async ({ caller, body }) => {
      const picture = await service.preview(caller, body);
      return new FileReply(picture, { contentType: 'image/png', sha256: sha256Hex(picture) });
    }),
    serve(routes.getCover, ({ params }) => service.get(params.id)),
    serve(routes.createCover, async ({ caller, fields, files: [file] }) =>
      service.create(caller, { ...fields, file: file ? await uploadedBytes(file) : null }),
    ),
    serve(routes.changeCover, ({ caller, params, body: { version, ...fields } }) =>
      service.change(caller, { id: params.id, version }, fields),
    ),
    serve(routes.replaceCoverFile, async ({ caller, params, fields, files }) => {
      const [file] = files;
      const bytes = file ? await uploadedBytes(file) : new Uint8Array();
      return service.replaceFile(caller, { id: params.id, version: fields.version }, bytes);
    }),
    serve(routes.removeCover, async ({ caller, params, body }) => {
      await service.remove(caller, { id: params.id, version: body.version });
      return { ok: true as const };
    }),
  ];
}
