import { olderFaxRoutes, outboundRoutes } from '../../../shared/api/outbound.ts';
import { type Call, type ServedRoute, serve } from '../../http/handler.ts';
import type { UploadedFile } from '../../http/multipart.ts';
import { FileReply } from '../../http/reply.ts';
import { checkKey } from './idempotency.ts';
import { presentFax } from './present.ts';
import type { OutboundService } from './service.ts';

type Routes = typeof outboundRoutes;

const actingOf = ({ caller, requestId }: Pick<Call<Routes['getFax']>, 'caller' | 'requestId'>) => ({
  actor: { id: caller.principal.id, name: caller.principal.displayName },
  requestId,
});

const sourcesOf = (files: readonly UploadedFile[]) =>
  files.map(({ path, fileName, declaredType, digest }) => ({ path, fileName, declaredType, digest }));

export function outboundServedRoutes(service: OutboundService): ServedRoute[] {
  return [...sendingRoutes(service), ...readingRoutes(service), ...decidingRoutes(service)];
}

function sendingRoutes(service: OutboundService): ServedRoute[] {
  return [
    serve(outboundRoutes.sendFax, async (call) => {
      const { to, ...flags } = call.fields;
      const idempotencyKey = checkKey(call.request.get('idempotency-key'));
      return presentFax(
        await service.send({ to, flags, sources: sourcesOf(call.files), idempotencyKey, ...actingOf(call) }),
      );
    }),
    serve(outboundRoutes.previewFax, async ({ fields, files, caller }) =>
      service.preview(sourcesOf(files), {
        to: fields.to ?? null,
        cleanGreys: fields.clean_greys,
        ownerId: caller.principal.id,
      }),
    ),
    serve(outboundRoutes.previewPage, async ({ params, caller }) => {
      const picture = await service.previewPage(params.id, params.page, caller.principal.id);
      return new FileReply(picture, { contentType: 'image/png' });
    }),
    serve(outboundRoutes.resendFax, async (call) =>
      presentFax(
        await service.resend(call.params.id, {
          to: call.body?.to ?? null,
          idempotencyKey: checkKey(call.request.get('idempotency-key')),
          ...actingOf(call),
        }),
      ),
    ),
  ];
}

function readingRoutes(service: OutboundService): ServedRoute[] {
  const list = serve(outboundRoutes.listFaxes, async ({ query }) => {
    const { items, next_cursor } = await service.list(query);
    return { items: items.map(presentFax), next_cursor };
  });
  const get = serve(outboundRoutes.getFax, async ({ params }) => presentFax(await service.get(params.id)));
  const document = serve(outboundRoutes.faxDocument, async ({ params }) =>
    pdf(await service.document(params.id), params.id),
  );
  return [
    list,
    get,
    document,
    { ...list, route: olderFaxRoutes.adminListFaxes },
    { ...get, route: olderFaxRoutes.adminGetFax },
    { ...document, route: olderFaxRoutes.adminFaxPdf },
    serve(outboundRoutes.servePdf, async ({ params, query, requestId }) =>
      pdf(await service.linkedDocument(params.id, query.token, requestId), params.id),
    ),
    serve(outboundRoutes.faxHistory, async ({ params }) => ({ events: await service.history(params.id) })),
    serve(outboundRoutes.faxReport, async ({ params }) => {
      const report = await service.report(params.id);
      return new FileReply(report, { contentType: 'application/pdf', fileName: `report_${params.id}.pdf` });
    }),
  ];
}

function decidingRoutes(service: OutboundService): ServedRoute[] {
  const refresh = serve(outboundRoutes.refreshFax, async (call) =>
    presentFax(await service.refresh(call.params.id, actingOf(call).actor)),
  );
  return [
    serve(outboundRoutes.releaseFax, async (call) =>
      presentFax(await service.release(call.params.id, call.body.delivery_version, actingOf(call))),
    ),
    serve(outboundRoutes.cancelFax, async (call) =>
      presentFax(await service.cancel(call.params.id, call.body.delivery_version, actingOf(call))),
    ),
    serve(outboundRoutes.reconcileFax, async (call) =>
      presentFax(await service.reconcile(call.params.id, call.body, actingOf(call))),
    ),
    refresh,
    { ...refresh, route: olderFaxRoutes.adminRefreshFax },
  ];
}

function pdf(
  { stream, sizeBytes }: { stream: FileReply['source']; sizeBytes: number },
  id: string,
): FileReply {
  return new FileReply(stream, { contentType: 'application/pdf', sizeBytes, fileName: `fax_${id}.pdf` });
}
