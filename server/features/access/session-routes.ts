import { ACCESS_MESSAGES, accessRoutes as routes } from '../../../shared/api/access.ts';
import { type ServedRoute, serve } from '../../http/handler.ts';
import { AccessValueError } from './errors.ts';
import { actorOf, knownCaller, type SignInService } from './service.ts';

/** The list of sessions and ending one of them. */
export function sessionServedRoutes({ sessions }: SignInService): ServedRoute[] {
  return [
    serve(routes.sessions, async ({ caller, query }) => {
      const known = knownCaller(caller);
      const { items, more } = await sessions.list(known, {
        principalId: query.principal_id ?? null,
        limit: query.limit,
        after: cursorOf(query.cursor_time, query.cursor_id),
      });
      const last = more ? items.at(-1) : undefined;
      return {
        items: items.map((session) => ({
          session_id: session.id,
          source_kind: session.source_kind,
          created_at: session.created_at,
          last_used_at: session.last_used_at,
          expires_at: session.expires_at,
          revoked_at: session.revoked_at,
          current: session.id === known.session?.id,
        })),
        next_cursor: last ? { created_at: last.created_at, session_id: last.id } : null,
      };
    }),
    serve(routes.revokeSession, async ({ caller, requestId, params, body }) => {
      const which = { sessionId: params.session_id, expectedVersion: body.expected_policy_version };
      const ended = await sessions.revoke(knownCaller(caller), actorOf(caller, requestId), which);
      return { session_id: which.sessionId, changed: ended.changed, policy_version: ended.policyVersion };
    }),
  ];
}

function cursorOf(time: string | undefined, id: string | undefined) {
  if (time === undefined && id === undefined) return null;
  if (time === undefined || id === undefined) throw new AccessValueError(ACCESS_MESSAGES.cursorHalf);
  return { createdAt: time, id };
}
