import { terminalRoutes as routes } from '../../../shared/api/terminal.ts';
import type { Authenticator } from '../../http/caller.ts';
import { type ServedRoute, serve } from '../../http/handler.ts';
import { OpenReply } from '../../http/reply.ts';
import { addressOf } from '../access/service.ts';
import type { TerminalService } from './service.ts';

const DONE = { ok: true } as const;

/** Returns the routes; `authenticator` authenticates the session of an open terminal again. */
export function terminalServedRoutes(service: TerminalService, authenticator: Authenticator): ServedRoute[] {
  return [
    serve(routes.open, async ({ caller, body, request, requestId }) => {
      // As a passive request: what the terminal does by itself keeps no session alive, what is typed does.
      const route = { ...routes.open, passive: true } as const;
      const again = () => authenticator.authenticate(request, { requestId, route, isRecheck: true });
      return await service.open({ caller, again, address: addressOf(request), ...body });
    }),
    serve(routes.output, async ({ caller, params, query, request }) => {
      const terminal = service.find(params.terminal_id, caller);
      const after = Number(request.get('last-event-id') || query.after || 0);
      return new OpenReply({
        contentType: 'text/event-stream; charset=utf-8',
        headers: { 'Cache-Control': 'no-store, no-transform', 'X-Accel-Buffering': 'no' },
        open: (response) => terminal.read(response, Number.isSafeInteger(after) ? after : 0),
      });
    }),
    serve(routes.input, async ({ caller, params, body }) => {
      service.find(params.terminal_id, caller).input(body.number, body.text);
      return DONE;
    }),
    serve(routes.resize, async ({ caller, params, body }) => {
      service.find(params.terminal_id, caller).resize(body);
      return DONE;
    }),
    serve(routes.close, async ({ caller, params }) => {
      await service.close(service.find(params.terminal_id, caller).id, 'closed');
      return DONE;
    }),
  ];
}
