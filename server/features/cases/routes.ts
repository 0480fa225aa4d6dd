import { casesRoutes } from '../../../shared/api/cases.ts';
import { type Handler, type RepeatCheck, type ServedRoute, serve } from '../../http/handler.ts';
import { checkKey, REPLAYED } from '../../http/idempotency-key.ts';
import type { UploadedFile } from '../../http/multipart.ts';
import { Reply } from '../../http/reply.ts';
import { aboutOf } from '../../platform/fax-about.ts';
import type { CasesService } from './service.ts';
import { documentTitles } from './titles.ts';

export function casesServedRoutes(service: CasesService): ServedRoute[] {
  return [
    sendingRoute(service),
    serve(casesRoutes.listCases, async ({ query, caller }) => service.list(caller, query)),
    serve(casesRoutes.getCase, async ({ params, query, caller }) =>
      service.packets(caller, params.case_id, query),
    ),
  ];
}

function sendingRoute(service: CasesService): ServedRoute {
  const isRepeat: RepeatCheck = async (caller, request) => {
    const key = checkKey(request.get('idempotency-key'));
    return key !== null && (await service.repeatOf(caller, key)) !== null;
  };
  const send: Handler<typeof casesRoutes.sendCase> = async (call) => {
    const { to, preview, titles, name_sent, mailbox, send_at, send_by, send_when, ...rest } = call.fields;
    const { guard, guard_digits, guard_confirmed, ...given } = rest;
    const { subject, reference, document_type, ...flags } = given;
    const documents = documentsOf(call.files, titles);
    const request = { caseId: call.params.case_id, to, documents, namesSent: name_sent };
    if (preview) {
      const drawn = await service.preview(call.caller, { ...request, byCall: flags.send_by_call });
      return new Reply(drawn, { status: 200 });
    }
    let headers = {};
    const sent = await service.send(call.caller, {
      ...request,
      flags,
      about: aboutOf({ subject, reference, document_type }),
      guard: { mode: guard, digits: guard_digits ?? null, confirmed: guard_confirmed },
      mailbox: mailbox ?? null,
      sendAt: send_at,
      sendBy: send_by,
      sendWhen: send_when,
      idempotencyKey: checkKey(call.request.get('idempotency-key')),
      onReplay: () => {
        headers = REPLAYED;
      },
    });
    return new Reply(sent, { headers });
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
