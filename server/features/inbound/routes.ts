import type { Request } from 'express';
import { olderInboundRoutes, inboundRoutes as routes } from '../../../shared/api/inbound.ts';
import { junkRoutes } from '../../../shared/api/inbound-junk.ts';
import { LIMITS } from '../../../shared/limits.ts';
import type { Caller } from '../../http/caller.ts';
import { type ServedRoute, serve } from '../../http/handler.ts';
import type { MinuteLimit, NewMinuteLimit } from '../../http/rate-limit.ts';
import { FileReply, Reply } from '../../http/reply.ts';
import type { UnverifiedBodies } from '../../http/unverified-bodies.ts';
import { sha256Hex } from '../../platform/hash.ts';
import { documentUse } from '../access/service.ts';
import { type NotificationAddress, notificationRoutes } from './notification-routes.ts';
import type { InboundService } from './service.ts';

/** Received faxes stay readable while receiving is off; only routes that bring a fax in are refused then. */
export function inboundServedRoutes(
  service: InboundService,
  parts: {
    minuteLimit: NewMinuteLimit;
    notifications: readonly NotificationAddress[];
    unverifiedBodies: UnverifiedBodies;
  },
): ServedRoute[] {
  const { minuteLimit, notifications, unverifiedBodies: bodies } = parts;
  return [
    ...junkServedRoutes(service),
    ...listRoutes(service, minuteLimit('inbound-list')),
    ...actingRoutes(service),
    ...readingRoutes(service, minuteLimit('inbound-get')),
    ...notificationRoutes(service, notifications, {
      limit: minuteLimit('notifications'),
      bodies,
    }),
  ];
}

/** The parts of a request that a limit needs. */
interface Asking {
  readonly caller: Caller;
  readonly request: Request;
}

function listRoutes(service: InboundService, limit: MinuteLimit): ServedRoute[] {
  const admit = async ({ caller, request }: Asking) => {
    await limit.consume(caller.credential.id, service.settings.listsPerMinute(), request);
    return caller;
  };
  return [
    serve(routes.listInbound, async (call) => {
      const { query, request } = call;
      const { items, next_cursor } = await service.list(await admit(call), query);
      if (next_cursor === null) return items;
      const next = new URLSearchParams(request.url.split('?')[1]);
      next.set('cursor', next_cursor);
      return new Reply(items, {
        headers: { Link: `<${routes.listInbound.path}?${next.toString()}>; rel="next"` },
      });
    }),
    serve(routes.pageInbound, async (call) => service.list(await admit(call), call.query)),
    serve(routes.countInbound, async (call) => service.counts(await admit(call))),
  ];
}

function readingRoutes(service: InboundService, limit: MinuteLimit): ServedRoute[] {
  const admitReading = async ({ caller, request }: Asking) => {
    await limit.consume(caller.credential.id, service.settings.readsPerMinute(), request);
    return caller;
  };
  return [
    serve(routes.getInbound, async (call) => service.get(await admitReading(call), call.params.id)),
    serve(routes.inboundEvidence, async (call) => service.evidence(await admitReading(call), call.params.id)),
    serve(routes.inboundPdf, async (call) => {
      const { params, query } = call;
      const use = documentUse(call, query.purpose);
      const { stream, sizeBytes, sha256 } = await service.openDocument(call.caller, params.id, use);
      const fileName = `fax_${params.id}.pdf`;
      return new FileReply(stream, { contentType: 'application/pdf', sizeBytes, fileName, sha256 });
    }),
    serve(routes.inboundOriginal, async (call) => {
      const { params, query } = call;
      const use = documentUse(call, query.purpose ?? 'download');
      const { stream, ...original } = await service.openOriginal(call.caller, params.id, use);
      const { mediaType: contentType, sizeBytes, fileName, sha256 } = original;
      return new FileReply(stream, { contentType, sizeBytes, fileName, sha256, isDownload: true });
    }),
    serve(routes.decodeInbound, ({ caller, params, body }) =>
      service.decodeAgain(caller, params.id, body?.contact_id ?? null),
    ),
    serve(routes.inboundPage, async (call) => {
      const { params, query } = call;
      const wanted = { page: params.page, widthPx: query.width, use: documentUse(call, 'open') };
      const picture = await service.page(call.caller, params.id, wanted);
      return new FileReply(picture, { contentType: 'image/png', sha256: sha256Hex(picture) });
    }),
    serve(routes.inboundReaders, async ({ caller, params }) => ({
      readers: await service.readers(caller, params.id),
    })),
    serve(routes.turnInbound, ({ caller, params, body }) =>
      service.turn(caller, params.id, { pages: body.pages, quarterTurns: body.quarter_turns }),
    ),
    serve(routes.describeInbound, ({ caller, params, body: { expected_about: expected = {}, ...about } }) =>
      service.describe(caller, params.id, { about, expected }),
    ),
    serve(routes.markInbound, ({ caller, params, body }) => service.mark(caller, params.id, body.read)),
  ];
}

/** Served before single faxes, whose ids have the same position in the path. */
function junkServedRoutes(service: InboundService): ServedRoute[] {
  return [
    serve(junkRoutes.blockedSenders, async ({ caller }) => ({
      items: await service.blockedSenders(caller),
      most: LIMITS.blockedSenders,
    })),
    serve(junkRoutes.blockSender, ({ caller, body }) => {
      const { fax_id: faxId = '', number, even_if_known: evenIfKnown } = body;
      return service.blockSender(caller, {
        sender: number === undefined ? { faxId } : { number },
        evenIfKnown,
      });
    }),
    serve(junkRoutes.unblockSender, ({ caller, params, query }) =>
      service.unblockSender(caller, { number: params.number, bringBack: query.bring_back ?? false }),
    ),
    serve(junkRoutes.notJunk, ({ caller, params, body }) =>
      service.notJunk(caller, params.id, body?.unblock ?? false),
    ),
  ];
}

function actingRoutes(service: InboundService): ServedRoute[] {
  const test = serve(routes.testInbound, async (call) => {
    service.assertOn();
    return service.makeTest(call.caller, call.body ?? {});
  });
  return [
    test,
    { ...test, route: olderInboundRoutes.adminSimulateInbound },
    serve(routes.receiveTestFax, async (call) => {
      service.assertOn();
      return service.receiveTest(call.caller, call.body ?? {});
    }),
    serve(routes.inboundTargets, async ({ caller, params }) => ({
      mailboxes: await service.moveTargets(caller, params.id),
    })),
    serve(routes.moveInbound, ({ caller, params, body }) => service.move(caller, params.id, body.mailbox)),
    serve(routes.applyInboundRules, ({ caller }) => service.applyRules(caller)),
    serve(routes.fetchInbound, async (call) => {
      service.assertOn();
      return service.fetchAgain(call.caller, call.params.id);
    }),
  ];
}
