import { outboundRoutes } from '../../../shared/api/outbound.ts';
import type { PageEdits } from '../../../shared/page-edits.ts';
import { type ServedRoute, serve } from '../../http/handler.ts';
import type { UploadedFile } from '../../http/multipart.ts';
import { FileReply } from '../../http/reply.ts';
import { sha256Hex } from '../../platform/hash.ts';
import { withEdits } from './accept/edited-source.ts';
import type { UploadedSource } from './accept/sent-document.ts';
import { presentPreview } from './preview/present-preview.ts';
import type { Previews } from './preview/preview.ts';

export function previewRoutes(previews: Previews): ServedRoute[] {
  return [
    serve(outboundRoutes.previewFax, async ({ fields, files, query, caller }) => {
      const request = {
        caller,
        cleanGreys: fields.clean_greys,
        byCall: fields.send_by_call,
        wait: query.wait,
      };
      return presentPreview(
        await previews.make(sourcesOf(files, fields.page_edits), { ...request, to: fields.to ?? null }),
      );
    }),
    serve(outboundRoutes.redrawPreview, async ({ params, body, query, caller }) => {
      const request = {
        caller,
        cleanGreys: body.clean_greys,
        byCall: body.send_by_call,
        wait: query.wait,
      };
      return presentPreview(
        await previews.redraw(params.id, { ...request, to: body.to, edits: body.page_edits }),
      );
    }),
    serve(outboundRoutes.previewState, async ({ params, caller }) =>
      presentPreview(previews.get(params.id, caller)),
    ),
    serve(outboundRoutes.previewEncoded, ({ params, query, caller }) =>
      previews.estimateEncoded(params.id, caller, {
        to: query.to,
        form: query.page_form,
        byCall: query.send_by_call,
      }),
    ),
    serve(outboundRoutes.removePreview, async ({ params, caller }) => {
      previews.remove(params.id, caller);
      return { ok: true as const };
    }),
    serve(outboundRoutes.previewPage, async ({ params, caller }) => {
      const picture = await previews.page(params.id, params.page, caller);
      return new FileReply(picture, { contentType: 'image/png', sha256: sha256Hex(picture) });
    }),
    serve(outboundRoutes.previewUnchangedPage, async ({ params, query, caller }) => {
      const page = { page: params.page, width: query.width };
      const picture = await previews.unchangedPage(params.id, page, caller);
      return new FileReply(picture, { contentType: 'image/png', sha256: sha256Hex(picture) });
    }),
  ];
}

/** The files of a form as documents to be sent. */
export const sourcesOf = (
  files: readonly UploadedFile[],
  edits: PageEdits | undefined,
): readonly UploadedSource[] => {
  const sources = files.map(({ content, fileName, declaredType, digest }) => ({
    ...content,
    fileName,
    declaredType,
    digest,
  }));
  return withEdits(sources, edits ?? null);
};
