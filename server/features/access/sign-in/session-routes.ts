import { accessRoutes as routes } from '../../../../shared/api/access.ts';
import { accessSessionRoutes } from '../../../../shared/api/access-sessions.ts';
import type { Caller } from '../../../http/caller.ts';
import { type ServedRoute, serve } from '../../../http/handler.ts';
import { AccessValueError } from '../errors.ts';
import { authenticatedCaller, type SignInService } from '../service.ts';
import type { OwnedSession } from './sessions.ts';

/** Returns the routes that list sessions and end one. */
export function sessionServedRoutes({ sessions }: SignInService): ServedRoute[] {
  const revoke = async (call: {
    caller: Caller;
    params: { session_id: string };
    body: { expected_policy_version: number };
  }) => {
    const { caller, params, body } = call;
    const target = { sessionId: params.session_id, expectedVersion: body.expected_policy_version };
    const ended = await sessions.revoke(authenticatedCaller(caller), target);
    return { session_id: target.sessionId, changed: ended.changed, policy_version: ended.policyVersion };
  };
  return [
    serve(routes.sessions, async ({ caller, query }) => {
      const authenticated = authenticatedCaller(caller);
      const { items, more } = await sessions.list(authenticated, {
        principalId: query.principal_id ?? null,
        limit: query.limit,
        after: cursorOf(query.cursor_time, query.cursor_id),
      });
      const last = more ? items.at(-1) : undefined;
      return {
        items: items.map((session) => sessionAnswer(session, authenticated.session?.id)),
        next_cursor: last ? { created_at: last.created_at, session_id: last.id } : null,
      };
    }),
    serve(routes.revokeSession, revoke),
    serve(accessSessionRoutes.listAccessSessions, async ({ caller, query }) => {
      const authenticated = authenticatedCaller(caller);
      const { principal_id: principalId = null, ...pageQuery } = query;
      const request = { ...pageQuery, principalId };
      const { items, next_cursor, policyVersion } = await sessions.page(authenticated, request);
      return {
        items: items.map((owned) => ownedAnswer(owned, authenticated.session?.id)),
        next_cursor,
        policy_version: policyVersion,
      };
    }),
    serve(accessSessionRoutes.revokeAccessSession, revoke),
  ];
}

function sessionAnswer(session: OwnedSession['session'], currentId: string | undefined) {
  const { source_kind, created_at, last_used_at, expires_at, revoked_at } = session;
  const current = session.id === currentId;
  return { session_id: session.id, source_kind, created_at, last_used_at, expires_at, revoked_at, current };
}

function ownedAnswer({ session, principal }: OwnedSession, currentId: string | undefined) {
  const { id, kind, displayName: display_name, enabled } = principal;
  const { device, address } = session;
  const facts = sessionAnswer(session, currentId);
  return { ...facts, principal: { id, kind, display_name, enabled }, device, address };
}

/** Returns the cursor; null for the first page. Throws AccessValueError when only one of its parts is given. */
function cursorOf(time: string | undefined, id: string | undefined) {
  if (time === undefined && id === undefined) return null;
  if (time === undefined || id === undefined) throw new AccessValueError('half_cursor');
  return { createdAt: time, id };
}
