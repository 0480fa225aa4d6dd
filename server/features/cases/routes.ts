import { casesRoutes } from '../../../shared/api/cases.ts';
import { type Handler, type RepeatCheck, type ServedRoute, serve } from '../../http/handler.ts';
import { checkKey, REPLAYED } from '../../http/idempotency-key.ts';
import type { UploadedFile } from '../../http/multipart.ts';
import { Reply } from '../../http/reply.ts';
import { aboutOf } from '../../platform/fax-about.ts';
import type { OutboundService } from '../outbound/service.ts';
import { packetOf } from '../outbound/types.ts';
import { noSuchCase } from './errors.ts';
import { presentPacket } from './present.ts';
import { documentTitles } from './titles.ts';

export function casesServedRoutes(outbound: OutboundService): ServedRoute[] {
  return [sendingRoute(outbound), ...readingRoutes(outbound)];
}

function sendingRoute(outbound: OutboundService): ServedRoute {
  const isRepeat: RepeatCheck = async (caller, request) => {
    const key = checkKey(request.get('idempotency-key'));
    return key !== null && (await outbound.repeatOf(caller, key)) !== null;
  };
  const send: Handler<typeof casesRoutes.sendCase> = async (call) => {
    const { to, preview, titles, name_sent, mailbox, send_at, ...rest } = call.fields;
    const { subject, reference, document_type, ...flags } = rest;
    const { case_id } = call.params;
    const request = { caseId: case_id, to, documents: documentsOf(call.files, titles), namesSent: name_sent };
    if (preview) {
      const drawn = await outbound.previewPacket(call.caller, { ...request, byCall: flags.send_by_call });
      const documents = [...drawn.packet];
      const { pages, previewId: preview_id } = drawn;
      return new Reply(
        { case_id, to: drawn.to, pages, documents, fax_id: null, preview_id },
        { status: 200 },
      );
    }
    let headers = {};
    const { job } = await outbound.sendPacket(call.caller, {
      ...request,
      flags,
      about: aboutOf({ subject, reference, document_type }),
      mailbox: mailbox ?? null,
      sendAt: send_at,
      idempotencyKey: checkKey(call.request.get('idempotency-key')),
      onReplay: () => {
        headers = REPLAYED;
      },
    });
    const { to_number, document_pages: pages, id: fax_id } = job;
    const documents = [...packetOf(job)];
    return new Reply({ case_id, to: to_number, pages, documents, fax_id, preview_id: null }, { headers });
  };
  return serve(casesRoutes.sendCase, send, { isRepeat });
}

function documentsOf(files: readonly UploadedFile[], titles: readonly string[]) {
  const names = documentTitles(
    titles,
    files.map(({ fileName }) => fileName),
  );
  return files.map(({ content, fileName, declaredType, digest }, i) => ({
    title: names[i] ?? fileName,
    source: { ...content, fileName, declaredType, digest },
  }));
}

function readingRoutes(outbound: OutboundService): ServedRoute[] {
  return [
    serve(casesRoutes.listCases, async ({ query, caller }) => {
      const { items, next_cursor } = await outbound.listCases(caller, query);
      const summaries = items.map(({ caseId, faxes, newest }) => ({
        case_id: caseId,
        packets: faxes,
        newest: presentPacket(newest),
      }));
      return { items: summaries, next_cursor };
    }),
    serve(casesRoutes.getCase, async ({ params, query, caller }) => {
      const { case_id } = params;
      const { items, next_cursor } = await outbound.list(caller, { ...query, case_id });
      const isWhole = query.cursor === undefined && query.ids === undefined;
      if (isWhole && items.length === 0) throw noSuchCase();
      return { case_id, items: items.map(presentPacket), next_cursor };
    }),
  ];
}
