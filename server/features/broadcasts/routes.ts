import { broadcastsRoutes as routes } from '../../../shared/api/broadcasts.ts';
import { NO_COVER } from '../../../shared/covers.ts';
import { LIMITS } from '../../../shared/limits.ts';
import type { Caller } from '../../http/caller.ts';
import { type Handler, type ServedRoute, serve } from '../../http/handler.ts';
import { checkKey } from '../../http/idempotency-key.ts';
import type { UploadedFile } from '../../http/multipart.ts';
import { FileReply, Reply } from '../../http/reply.ts';
import { uploadedBytes } from '../../http/uploaded-bytes.ts';
import { aboutOf } from '../../platform/fax-about.ts';
import { sha256Hex } from '../../platform/hash.ts';
import { tooManyRecipients } from './errors.ts';
import type { BroadcastsService } from './service.ts';
import type { BroadcastAnswer } from './types.ts';

export function broadcastsServedRoutes(service: BroadcastsService): ServedRoute[] {
  return [
    sendingRoute(service),
    serve(routes.listBroadcasts, ({ query, caller }) => service.list(caller, query)),
    serve(routes.getBroadcast, ({ params, caller }) => service.get(caller, params.id)),
    serve(routes.listRecipients, ({ params, query, caller }) => service.recipients(caller, params.id, query)),
    serve(routes.broadcastHistory, ({ params, caller }) => service.history(caller, params.id)),
    serve(routes.broadcastReport, async ({ params, caller }) => {
      const report = await service.report(caller, params.id);
      const fileName = `broadcast_${params.id}.pdf`;
      return new FileReply(report, { contentType: 'application/pdf', fileName, sha256: sha256Hex(report) });
    }),
    serve(routes.broadcastCsv, async ({ params, caller }) => {
      const csv = new TextEncoder().encode(await service.csv(caller, params.id));
      const fileName = `broadcast_${params.id}.csv`;
      return new FileReply(csv, { contentType: 'text/csv; charset=utf-8', fileName });
    }),
    ...changingRoutes(service),
  ];
}

function changingRoutes(service: BroadcastsService): ServedRoute[] {
  type Call = { caller: Caller; params: { id: string } };
  const present = ({ caller, params }: Call) => service.get(caller, params.id);
  const acting =
    (act: (caller: Caller, id: string) => Promise<BroadcastAnswer>) =>
    ({ caller, params }: Call) =>
      act(caller, params.id);
  return [
    serve(routes.pauseBroadcast, acting(service.pause), { present }),
    serve(routes.continueBroadcast, acting(service.continue), { present }),
    serve(routes.cancelBroadcast, acting(service.cancel), { present }),
    serve(routes.retryBroadcast, acting(service.retry), { present }),
  ];
}

function sendingRoute(service: BroadcastsService): ServedRoute {
  const send: Handler<typeof routes.sendBroadcast> = async ({ caller, fields, files, request }) => {
    const { recipients, tag, preview, leave_out, name, preview_id, clean_greys, send_by_call, ...rest } =
      fields;
    const { mailbox, send_at, send_by, send_when, cover: coverId, cover_fields, ...further } = rest;
    const { page_edits, page_form, ...about } = further;
    const cover = coverId && coverId !== NO_COVER ? { id: coverId, fields: cover_fields ?? {} } : null;
    const list = files.find(({ field }) => field === 'recipients_file');
    const given = {
      text: recipients || null,
      file: list ? await bytesOf(list) : null,
      tag: tag || null,
    };
    if (preview) return new Reply(await service.preview(caller, given, cover), { status: 200 });
    const sent = await service.send(caller, {
      given,
      sources: files.filter(({ field }) => field === 'file').map(sourceOf),
      edits: page_edits ?? null,
      pageForm: page_form,
      previewId: preview_id ?? null,
      isPartialAllowed: leave_out,
      name: name || null,
      cleanGreys: clean_greys,
      byCall: send_by_call,
      mailbox: mailbox ?? null,
      sendAt: send_at,
      sendBy: send_by,
      sendWhen: send_when,
      cover,
      about: aboutOf(about),
      requestKey: requestKeyOf(caller, request.get('idempotency-key')),
    });
    return new Reply(sent);
  };
  return serve(routes.sendBroadcast, send, {
    // The answer of an earlier request was lost in a crash.
    present: ({ caller, request }) =>
      service.sentBefore(caller, requestKeyOf(caller, request.get('idempotency-key')) ?? ''),
  });
}

/** Returns the key of a request with its caller, whose keys are their own. */
function requestKeyOf({ credential, principal }: Caller, given: string | undefined): string | null {
  const key = checkKey(given);
  const { kind, id } = credential;
  return key === null ? null : `${kind === 'session' ? principal.id : id} ${key}`;
}

const sourceOf = ({ content, fileName, declaredType, digest }: UploadedFile) => ({
  ...content,
  fileName,
  declaredType,
  digest,
});

async function bytesOf(file: UploadedFile): Promise<Uint8Array> {
  if (file.sizeBytes > LIMITS.broadcastListBytes) throw tooManyRecipients();
  return uploadedBytes(file);
}
