import { Readable } from 'node:stream';
import { consoleRoutes as routes } from '../../../shared/api/console.ts';
import type { Authenticator, Caller } from '../../http/caller.ts';
import { type ServedRoute, serve } from '../../http/handler.ts';
import { FileReply, OpenReply } from '../../http/reply.ts';
import { isEncryptedName } from '../../platform/backup-name.ts';
import { RefusalError } from '../../platform/errors.ts';
import { isUnfinished } from '../access/service.ts';
import type { ConsoleService } from './service.ts';

/** Returns the routes; `authenticator` authenticates the caller of an open stream again. */
export function consoleServedRoutes(service: ConsoleService, authenticator: Authenticator): ServedRoute[] {
  return [
    ...eventRoutes(service, authenticator),
    serve(routes.context, ({ caller }) => service.context(caller)),
    serve(routes.installation, ({ caller }) =>
      service.installation({ seesProviders: caller.holds('providers:read') }),
    ),
    serve(routes.showCallbackAddress, ({ caller, params }) =>
      service.showCallbackAddress(params.backend, caller),
    ),
    serve(routes.draftKey, async ({ caller }) => ({ key: service.draftKey(caller) })),
    serve(routes.status, () => service.status()),
    serve(routes.logs, ({ query }) => service.logs(query)),
    serve(routes.logFile, async () => {
      const headers = attachment('faxdesk-log.ndjson');
      return new FileReply(Readable.from(service.wholeLog()), {
        contentType: 'application/x-ndjson',
        headers,
      });
    }),
    serve(routes.problemReport, async () => {
      const headers = attachment('faxdesk-problem.txt');
      const report = Readable.from([await service.problemReport()]);
      return new FileReply(report, { contentType: 'text/plain; charset=utf-8', headers });
    }),
    ...backupRoutes(service),
  ];
}

function eventRoutes(service: ConsoleService, authenticator: Authenticator): ServedRoute[] {
  const { events } = service;
  return [
    serve(routes.events, async ({ query, caller, requestId, request }) => {
      events.streams.assertCapacity(assertListener(caller));
      await events.catchUp();
      const after = request.get('last-event-id') || query.after;
      const again = async () =>
        assertListener(
          await authenticator.authenticate(request, { requestId, route: routes.events, isRecheck: true }),
        );
      return new OpenReply({
        contentType: 'text/event-stream; charset=utf-8',
        // A proxy that packs or collects the answer would hold the events back.
        headers: { 'Cache-Control': 'no-store, no-transform', 'X-Accel-Buffering': 'no' },
        open: (response) => events.streams.open(response, { caller, again, after }),
      });
    }),
    serve(routes.changes, async ({ query, caller }) => {
      assertListener(caller);
      await events.catchUp();
      return events.changes(caller, query.after);
    }),
  ];
}

function backupRoutes(service: ConsoleService): ServedRoute[] {
  return [
    serve(routes.backups, () => service.backups()),
    serve(routes.makeBackup, (call) => service.makeBackup(call.caller)),
    serve(routes.backup, ({ params }) => service.backup(params.name)),
    serve(routes.restoreBackup, async (call) => {
      await service.restoreBackup(call.params.name, call.body?.identity ?? null, call.caller);
      return { ok: true as const };
    }),
    serve(routes.backupFile, async (call) => {
      const { name } = call.params;
      const { stream, sizeBytes } = await service.openBackup(name, call.caller);
      const headers = attachment(name);
      const contentType = isEncryptedName(name) ? 'application/octet-stream' : 'application/zip';
      return new FileReply(stream, { contentType, sizeBytes, headers });
    }),
    serve(routes.removeBackup, async (call) => {
      await service.removeBackup(call.params.name, call.caller);
      return { ok: true as const };
    }),
  ];
}

/** Refuses events to a caller who must set a password or a second factor first. Throws a 403 refusal. */
function assertListener(caller: Caller): Caller {
  if (isUnfinished(caller)) throw new RefusalError('not_allowed');
  return caller;
}

const attachment = (name: string) => ({ 'Content-Disposition': `attachment; filename="${name}"` });
