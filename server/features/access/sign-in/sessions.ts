import type { Database } from '../../../db/database.ts';
import { type Clock, isoTime } from '../../../platform/clock.ts';
import { recordedActor, type SecurityAudit } from '../../audit/service.ts';
import { type AuthenticatedCaller, actorOf } from '../authenticated-caller.ts';
import { idleAfterMs } from '../authentication/verify-session.ts';
import { isMadeBy } from '../authority/may.ts';
import { assertMayChange } from '../authority/may-change.ts';
import { AccessConflictError, MissingError, NotAllowedError } from '../errors.ts';
import type { ChangePolicy } from '../policy-change.ts';
import type { Resources } from '../resources.ts';
import { forgetBrowser } from '../store/known-browsers.ts';
import { bumpRevision, readPolicy } from '../store/policy.ts';
import { findPrincipalRow, findPrincipals } from '../store/principals.ts';
import {
  findSession,
  listSessions,
  pageSessions,
  type StoredSession,
  setSessionRevoked,
} from '../store/sessions.ts';
import type { AccessSettings, PageRequest, Principal } from '../types.ts';
import { MAX_SESSION_MS } from './begin-session.ts';

interface SessionsQuery {
  /** Null: the caller's own. */
  principalId: string | null;
  limit: number;
  after: { createdAt: string; id: string } | null;
}

interface AllSessions extends PageRequest {
  /** Null: of all principals the caller may see. */
  principalId: string | null;
  /** True for only those that are not ended, expired or idle. */
  live: boolean;
}

/** A session and whose it is. */
export interface OwnedSession {
  session: StoredSession;
  principal: Principal;
}

export interface Sessions {
  /** Newest first. Throws a 403 refusal for those of others without sessions:read. */
  list(caller: AuthenticatedCaller, query: SessionsQuery): Promise<{ items: StoredSession[]; more: boolean }>;
  /**
   * Lists all sessions for sessions:read, else the caller's own; newest first. Throws 403 for those of others, 400
   * cursor.
   */
  page(
    caller: AuthenticatedCaller,
    query: AllSessions,
  ): Promise<{ items: OwnedSession[]; next_cursor: string | null; policyVersion: number }>;
  /**
   * Throws a 404 refusal for a session the caller cannot see, 403 without sessions:revoke or for one of a principal
   * with more permissions, 409 when stale.
   */
  revoke(
    caller: AuthenticatedCaller,
    which: { sessionId: string; expectedVersion: number },
  ): Promise<{ changed: boolean; policyVersion: number }>;
  /** Ends the caller's own session. Throws a 403 refusal for a caller without one. */
  logout(caller: AuthenticatedCaller): Promise<void>;
}

interface SessionsParts {
  db: Database;
  clock: Clock;
  audit: SecurityAudit;
  settings: AccessSettings;
  changePolicy: ChangePolicy;
  resources: Resources;
  forgetCallers: () => void;
}

class AlreadyEndedError extends Error {
  override name = 'AlreadyEndedError';
}

const isOwn = (caller: AuthenticatedCaller, session: StoredSession): boolean =>
  isMadeBy(caller, { principalId: session.principal_id, keyId: session.source_key_id });

export function createSessions(parts: SessionsParts): Sessions {
  const now = () => isoTime(parts.clock.now());

  const findVisible = async (caller: AuthenticatedCaller, id: string): Promise<StoredSession> => {
    const session = await findSession(parts.db.read, id);
    const own = session !== null && isOwn(caller, session);
    const sees = own || caller.holds('sessions:read') || caller.holds('sessions:revoke');
    if (!session || !sees) throw new MissingError('no_such_session');
    if (!own && !caller.holds('sessions:revoke')) throw new NotAllowedError();
    return session;
  };

  return {
    async list(caller, query) {
      const whose = ownerFilter(caller, query.principalId ?? caller.principal.id);
      const rows = await listSessions(parts.db.read, { ...query, ...whose });
      return { items: rows.slice(0, query.limit), more: rows.length > query.limit };
    },

    page: (caller, query) => pageAll(parts, caller, query),

    async revoke(caller, { sessionId, expectedVersion }) {
      const session = await findVisible(caller, sessionId);
      try {
        const person = await findPrincipalRow(parts.db.read, session.principal_id);
        const { policyVersion } = await parts.changePolicy({
          actor: actorOf(caller),
          operation: 'session.revoke',
          expectedVersion,
          work: async (tx) => {
            if (!isOwn(caller, session))
              await assertMayChange(tx, parts.resources, actorOf(caller), {
                kind: 'person',
                id: session.principal_id,
              });
            if (!(await setSessionRevoked(tx, session.id, now())))
              throw new AlreadyEndedError('it has ended before');
            // The person who ends it from the list may not recognize that browser.
            if (session.known_browser_id !== null) await forgetBrowser(tx, session.known_browser_id);
          },
          describe: () => ({
            target: { kind: 'session', id: session.id },
            details: { principal_id: session.principal_id, principal: person?.display_name },
          }),
        });
        return { changed: true, policyVersion };
      } catch (error) {
        if (!(error instanceof AlreadyEndedError)) throw error;
        return { changed: false, policyVersion: (await readPolicy(parts.db.read)).version };
      }
    },

    logout: (caller) => endOwnSession(parts, caller),
  };
}

/**
 * Returns the principal to filter by; null for all. Throws a 403 refusal for the sessions of others without
 * sessions:read.
 */
function ownerFilter(caller: AuthenticatedCaller, principalId: string | null) {
  const seesAll = caller.holds('sessions:read');
  if (principalId !== caller.principal.id && !seesAll) throw new NotAllowedError();
  return { principalId, sourceKeyId: seesAll ? null : caller.keyId };
}

async function pageAll(
  { db, clock, settings }: SessionsParts,
  caller: AuthenticatedCaller,
  query: AllSessions,
): ReturnType<Sessions['page']> {
  const { version: policyVersion } = await readPolicy(db.read);
  const everybody = caller.holds('sessions:read') ? null : caller.principal.id;
  const whose = ownerFilter(caller, query.principalId ?? everybody);
  const at = (ago: number) => isoTime(clock.now() - ago);
  const open = { now: at(0), begunAfter: at(MAX_SESSION_MS), usedAfter: at(idleAfterMs(settings)) };
  const { limit, cursor, live } = query;
  const page = await pageSessions(db.read, { ...whose, limit, cursor, open: live ? open : null });
  const people = await findPrincipals(
    db.read,
    page.items.map((row) => row.principal_id),
  );
  const items = page.items.flatMap((session) => {
    const principal = people.get(session.principal_id);
    return principal ? [{ session, principal }] : [];
  });
  return { items, next_cursor: page.next_cursor, policyVersion };
}

async function endOwnSession(parts: SessionsParts, caller: AuthenticatedCaller): Promise<void> {
  const { session } = caller;
  if (!session) throw new NotAllowedError('session_needed');
  const { db, clock, audit, forgetCallers } = parts;
  await db.transaction(async (tx) => {
    if (!(await setSessionRevoked(tx, session.id, isoTime(clock.now())))) throw new AccessConflictError();
    await bumpRevision(tx);
    const { version } = await readPolicy(tx);
    await audit.record(tx, {
      ...recordedActor(actorOf(caller)),
      operation: 'session.end',
      target: { kind: 'session', id: session.id },
      outcome: 'done',
      policyVersion: version,
    });
    db.onCommit(tx, forgetCallers);
  });
}
