import { olderFaxRoutes, outboundRoutes } from '../../../shared/api/outbound.ts';
import { NO_COVER } from '../../../shared/covers.ts';
import type { Caller } from '../../http/caller.ts';
import { type Handler, type RepeatCheck, type ServedRoute, serve } from '../../http/handler.ts';
import { checkKey, REPLAYED } from '../../http/idempotency-key.ts';
import { FileReply, Reply } from '../../http/reply.ts';
import { aboutOf } from '../../platform/fax-about.ts';
import { sha256Hex } from '../../platform/hash.ts';
import { documentUse, presentedKey } from '../access/service.ts';
import { linkWithoutToken } from './errors.ts';
import { presentFax } from './list/present.ts';
import { previewRoutes, sourcesOf } from './preview-routes.ts';
import type { OutboundService } from './service.ts';
import type { FaxRecord } from './types.ts';

type Fax = ReturnType<typeof presentFax>;

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
  const isRepeat: RepeatCheck = async (caller, request) => {
    const key = checkKey(request.get('idempotency-key'));
    return key !== null && (await service.repeatOf(caller, key)) !== null;
  };
  const send: Handler<typeof outboundRoutes.sendFax> = async (call) => {
    const { to, preview_id, send_at, clean_greys, page_form, titles, printed, ...rest } = call.fields;
    const { guard, guard_digits, guard_confirmed, ...sent } = rest;
    const { mailbox, resend_of, subject, reference, document_type, cover, cover_fields, ...other } = sent;
    const { send_by, send_when, page_edits, ...flags } = other;
    const order = {
      to,
      flags,
      sources: sourcesOf(call.files, page_edits),
      previewId: preview_id ?? null,
      sendAt: send_at,
      sendBy: send_by,
      sendWhen: send_when,
      cleanGreys: clean_greys,
      pageForm: page_form,
      answers: call.fields.answers ?? null,
      ...(printed.length === 0 ? {} : { printed }),
      titles,
      about: aboutOf({ subject, reference, document_type }),
      cover: cover === NO_COVER ? null : { id: cover ?? null, fields: cover_fields ?? {} },
      mailbox: mailbox ?? null,
      resendOf: resend_of ?? null,
      guard: { mode: guard, digits: guard_digits ?? null, confirmed: guard_confirmed },
      idempotencyKey: checkKey(call.request.get('idempotency-key')),
    };
    return replyTo((onReplay) => service.send(call.caller, { ...order, onReplay }));
  };
  return [
    serve(outboundRoutes.sendFax, send, { isRepeat }),
    serve(outboundRoutes.resendFax, (call) =>
      replyTo((onReplay) =>
        service.resend(call.caller, call.params.id, {
          to: call.body?.to ?? null,
          fromPage: call.body?.from_page ?? null,
          pageForm: call.body?.page_form ?? null,
          mailbox: call.body?.mailbox ?? null,
          about: call.body ?? {},
          idempotencyKey: checkKey(call.request.get('idempotency-key')),
          onReplay,
        }),
      ),
    ),
    serve(outboundRoutes.tryFaxAgain, async ({ params, caller }) =>
      presentFax(await service.tryAgain(caller, params.id)),
    ),
  ];
}

/** Answers with a fax that was accepted now, or by an earlier request with the same key, which is marked. */
async function replyTo(accept: (onReplay: () => void) => Promise<FaxRecord>): Promise<Reply<Fax>> {
  let headers = {};
  const fax = await accept(() => {
    headers = REPLAYED;
  });
  return new Reply(presentFax(fax), { headers });
}

function readingRoutes(service: OutboundService): ServedRoute[] {
  const list = serve(outboundRoutes.listFaxes, async ({ query, caller }) => {
    const { idempotency_key: key, ...filter } = query;
    const created_by = query.created_by === 'me' ? caller.principal.id : query.created_by;
    const ids = await idsUnderKey(service, caller, { key, ids: query.ids });
    if (ids?.length === 0) return { items: [], next_cursor: null };
    const { items, next_cursor } = await service.list(caller, { ...filter, created_by, ids });
    return { items: items.map(presentFax), next_cursor };
  });
  const get = serve(outboundRoutes.getFax, async ({ params, caller }) =>
    presentFax(await service.get(caller, params.id)),
  );
  const document = serve(outboundRoutes.faxDocument, async (call) => {
    const { id } = call.params;
    const { purpose, from_page } = call.query;
    return pdf(await service.openDocument(call.caller, id, documentUse(call, purpose), from_page ?? 1), id);
  });
  return [
    list,
    // These are registered before the route of a fax, which would match "counts" as an ID.
    serve(outboundRoutes.countFaxes, async ({ caller }) => service.countFaxes(caller)),
    serve(outboundRoutes.faxCalendar, async ({ caller, query }) => service.calendar(caller, query)),
    serve(outboundRoutes.dayReports, async (call) => {
      const { date: day, purpose } = call.query;
      const use = documentUse(call, purpose);
      const { caller, currentCaller } = call;
      const reports = await service.openDayReports({ caller, day, use, currentCaller });
      const options = {
        contentType: 'application/zip',
        fileName: `faxdesk-reports-${day}.zip`,
        isDownload: true,
      };
      return new FileReply(reports, options);
    }),
    get,
    document,
    { ...list, route: olderFaxRoutes.adminListFaxes },
    { ...get, route: olderFaxRoutes.adminGetFax },
    { ...document, route: olderFaxRoutes.adminFaxPdf },
    serve(outboundRoutes.servePdf, async ({ params, query, request, requestId }) => {
      if (query.token === '' && presentedKey(request) !== null) throw linkWithoutToken();
      return pdf(await service.openLinkedDocument(params.id, query.token, requestId), params.id);
    }),
    serve(outboundRoutes.seenFax, async ({ params, caller }) =>
      presentFax(await service.seen(caller, params.id)),
    ),
    serve(outboundRoutes.faxHistory, async ({ params, caller }) => ({
      events: await service.history(caller, params.id),
    })),
    serve(outboundRoutes.faxOriginal, async (call) => {
      const { id } = call.params;
      const original = await service.openOriginal(call.caller, id, documentUse(call, call.query.purpose));
      return pdf(original, id, 'original');
    }),
    serve(outboundRoutes.faxReport, async (call) => {
      const { id } = call.params;
      const report = await service.createReport(call.caller, id, documentUse(call, call.query.purpose));
      return new FileReply(report, {
        contentType: 'application/pdf',
        fileName: `report_${id}.pdf`,
        sha256: sha256Hex(report),
      });
    }),
  ];
}

/** Returns the fax that the caller sent under a key, among the listed ones; all listed ones without a key. */
async function idsUnderKey(
  service: OutboundService,
  caller: Caller,
  { key, ids }: { key: string | undefined; ids: string[] | undefined },
): Promise<string[] | undefined> {
  if (key === undefined) return ids;
  const id = await service.repeatOf(caller, key);
  return id === null || (ids && !ids.includes(id)) ? [] : [id];
}

function numberRoutes(service: OutboundService): ServedRoute[] {
  return [
    serve(outboundRoutes.listNumbers, async ({ query, caller }) => service.numbers(caller, query)),
    serve(outboundRoutes.proposeAbout, async ({ query, caller }) =>
      service.proposeAbout(caller, query.number),
    ),
    serve(outboundRoutes.checkNumber, async ({ query, caller }) =>
      service.checkNumber(caller, {
        text: query.to,
        previewId: query.preview_id ?? null,
        resendOf: query.resend_of ?? null,
      }),
    ),
  ];
}

function decidingRoutes(service: OutboundService): ServedRoute[] {
  const present = async ({ caller, params }: { caller: Caller; params: { id: string } }) =>
    presentFax(await service.get(caller, params.id));
  const refresh = serve(outboundRoutes.refreshFax, async (call) =>
    presentFax(await service.refresh(call.caller, call.params.id)),
  );
  return [
    serve(
      outboundRoutes.releaseFax,
      async (call) =>
        presentFax(await service.release(call.caller, call.params.id, call.body.delivery_version)),
      { present },
    ),
    serve(
      outboundRoutes.cancelFax,
      async (call) =>
        presentFax(await service.cancel(call.caller, call.params.id, call.body.delivery_version)),
      { present },
    ),
    serve(
      outboundRoutes.scheduleFax,
      async ({ caller, params, body }) => presentFax(await service.schedule(caller, params.id, body)),
      { present },
    ),
    serve(
      outboundRoutes.reconcileFax,
      async (call) => presentFax(await service.reconcile(call.caller, call.params.id, call.body)),
      { present },
    ),
    serve(
      outboundRoutes.describeFax,
      async ({ caller, params, body: { expected_about: expected = {}, ...about } }) =>
        presentFax(await service.describe(caller, params.id, { about, expected })),
    ),
    refresh,
    { ...refresh, route: olderFaxRoutes.adminRefreshFax },
  ];
}

function pdf(
  { stream, sizeBytes, sha256 }: Awaited<ReturnType<OutboundService['openDocument']>>,
  id: string,
  name: 'fax' | 'original' = 'fax',
): FileReply {
  const fileName = `${name}_${id}.pdf`;
  return new FileReply(stream, { contentType: 'application/pdf', sizeBytes, fileName, sha256 });
}
