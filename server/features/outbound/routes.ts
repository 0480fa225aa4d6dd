import { olderFaxRoutes, outboundRoutes } from '../../../shared/api/outbound.ts';
import type { Caller } from '../../http/caller.ts';
import { type Call, type ServedRoute, serve } from '../../http/handler.ts';
import { FileReply } from '../../http/reply.ts';
import { visibleResources } from '../access/service.ts';
import { checkKey } from './accept/idempotency.ts';
import { presentFax } from './present.ts';
import { previewRoutes, sourcesOf } from './preview-routes.ts';
import type { Acting, OutboundService } from './service.ts';
import type { Reader } from './visibility.ts';

type Routes = typeof outboundRoutes;

function readerOf(caller: Caller): Reader {
  return {
    principalId: caller.principal.id,
    holds: (permission, resourceId) => caller.holds(permission, resourceId),
    holdsAnywhere: (permission) => caller.holdsAnywhere(permission),
    visible: (permission) => visibleResources(caller, permission),
  };
}

const actingOf = ({ caller, requestId }: Pick<Call<Routes['getFax']>, 'caller' | 'requestId'>): Acting => ({
  reader: readerOf(caller),
  actor: { id: caller.principal.id, name: caller.principal.displayName },
  requestId,
});

export function outboundServedRoutes(service: OutboundService): ServedRoute[] {
  return [
    ...sendingRoutes(service),
    ...previewRoutes(service.previews),
    ...numberRoutes(service),
    ...readingRoutes(service),
    ...decidingRoutes(service),
  ];
}

function sendingRoutes(service: OutboundService): ServedRoute[] {
  return [
    serve(outboundRoutes.sendFax, async (call) => {
      const { to, preview_id, send_at, clean_greys, titles, mailbox, ...flags } = call.fields;
      const idempotencyKey = checkKey(call.request.get('idempotency-key'));
      return presentFax(
        await service.send(
          {
            to,
            flags,
            sources: sourcesOf(call.files),
            previewId: preview_id ?? null,
            sendAt: send_at,
            cleanGreys: clean_greys,
            titles,
            mailbox: mailbox ?? null,
            idempotencyKey,
          },
          actingOf(call),
        ),
      );
    }),
    serve(outboundRoutes.resendFax, async (call) =>
      presentFax(
        await service.resend(
          call.params.id,
          {
            to: call.body?.to ?? null,
            mailbox: call.body?.mailbox ?? null,
            idempotencyKey: checkKey(call.request.get('idempotency-key')),
          },
          actingOf(call),
        ),
      ),
    ),
  ];
}

function readingRoutes(service: OutboundService): ServedRoute[] {
  const list = serve(outboundRoutes.listFaxes, async ({ query, caller }) => {
    const created_by = query.created_by === 'me' ? caller.principal.id : query.created_by;
    const { items, next_cursor } = await service.list(readerOf(caller), { ...query, created_by });
    return { items: items.map(presentFax), next_cursor };
  });
  const get = serve(outboundRoutes.getFax, async ({ params, caller }) =>
    presentFax(await service.get(readerOf(caller), params.id)),
  );
  const document = serve(outboundRoutes.faxDocument, async ({ params, caller }) =>
    pdf(await service.document(readerOf(caller), params.id), params.id),
  );
  return [
    list,
    // Before the fax whose id would be "counts".
    serve(outboundRoutes.countFaxes, async ({ caller }) => service.countFaxes(readerOf(caller))),
    get,
    document,
    { ...list, route: olderFaxRoutes.adminListFaxes },
    { ...get, route: olderFaxRoutes.adminGetFax },
    { ...document, route: olderFaxRoutes.adminFaxPdf },
    serve(outboundRoutes.servePdf, async ({ params, query, requestId }) =>
      pdf(await service.linkedDocument(params.id, query.token, requestId), params.id),
    ),
    serve(outboundRoutes.faxHistory, async ({ params, caller }) => ({
      events: await service.history(readerOf(caller), params.id),
    })),
    serve(outboundRoutes.faxReport, async ({ params, caller }) => {
      const report = await service.report(readerOf(caller), params.id);
      return new FileReply(report, { contentType: 'application/pdf', fileName: `report_${params.id}.pdf` });
    }),
  ];
}

function numberRoutes(service: OutboundService): ServedRoute[] {
  return [
    serve(outboundRoutes.listNumbers, async ({ query, caller }) => service.numbers(readerOf(caller), query)),
    serve(outboundRoutes.checkNumber, async ({ query, caller }) =>
      service.checkNumber(readerOf(caller), query.to),
    ),
  ];
}

function decidingRoutes(service: OutboundService): ServedRoute[] {
  const refresh = serve(outboundRoutes.refreshFax, async (call) =>
    presentFax(await service.refresh(call.params.id, actingOf(call))),
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
