import type { SessionSource } from '../../../../shared/states/access.ts';
import type { WriteTx } from '../../../db/database.ts';
import { type Clock, isoTime } from '../../../platform/clock.ts';
import { sha256Hex } from '../../../platform/hash.ts';
import { newId, randomToken } from '../../../platform/ids.ts';
import type { SecurityAudit } from '../../audit/service.ts';
import { sessionProof } from '../authentication/cookies.ts';
import type { ConnectionKind } from '../authentication/origins.ts';
import { readPolicy } from '../store/policy.ts';
import { deleteOldSessions, insertSession } from '../store/sessions.ts';
import type { Factor } from './second-factor.ts';

const TOKEN_BITS = 256;
/** No session lasts longer. */
export const MAX_SESSION_MS = 12 * 3_600_000;
/** Key expiry of a session that began without a key. */
export const NEVER = Number.POSITIVE_INFINITY;
const KEPT_MS = 30 * 24 * 3_600_000;

/** A session that has just begun; the token goes into the cookie and nowhere else. */
export interface BegunSession {
  token: string;
  /** Maximum lifetime of a session. */
  seconds: number;
  /** Token that identifies the browser at its next sign-in; null for keys. */
  browserToken: string | null;
  passwordChangeRequired: boolean;
}

export interface Visitor {
  address: string;
  connection: ConnectionKind;
  /** Hash of the page's own token, see `page-token.ts`; null when it has none. */
  pageTokenHash: string | null;
  /** User agent of the browser, shortened. */
  device: string;
  /** Token of a known browser, else null. */
  browserToken: string | null;
  /** Token of its sign-in that waits for a second factor, if there is one. */
  pendingToken: string | null;
  requestId: string | null;
}

interface NewSession {
  principal: { id: string; displayName: string };
  sourceKind: SessionSource;
  /** Factor used beside a password; null without any. */
  secondFactor?: Factor | null;
  keyId: string | null;
  keyExpiresMs: number;
  passwordChangeRequired: boolean;
  /** Browser in which it begins, for a person. */
  browser: { id: string; token: string } | null;
}

/** Begins a session in the caller's transaction, with its record. It lasts 12 hours at most, and never past its key. */
export async function beginSession(
  parts: { clock: Clock; audit: SecurityAudit },
  tx: WriteTx,
  facts: NewSession,
  visitor: Visitor,
): Promise<BegunSession> {
  const now = parts.clock.now();
  const token = randomToken(TOKEN_BITS);
  const expiresMs = Math.min(now + MAX_SESSION_MS, facts.keyExpiresMs);
  const { version } = await readPolicy(tx);
  const id = newId();
  await deleteOldSessions(tx, facts.principal.id, isoTime(now - KEPT_MS));
  await insertSession(tx, {
    id,
    token_hash: sha256Hex(sessionProof(visitor.connection, token)),
    page_token_hash: visitor.pageTokenHash,
    principal_id: facts.principal.id,
    source_kind: facts.sourceKind,
    source_key_id: facts.keyId,
    address: visitor.address,
    device: visitor.device,
    known_browser_id: facts.browser?.id ?? null,
    created_at: isoTime(now),
    last_used_at: isoTime(now),
    expires_at: isoTime(expiresMs),
    revoked_at: null,
  });
  await parts.audit.record(tx, {
    actor: { id: facts.principal.id, name: facts.principal.displayName },
    credentialKind: facts.sourceKind,
    operation: 'session.begin',
    target: { kind: 'session', id },
    outcome: 'done',
    policyVersion: version,
    requestId: visitor.requestId,
    details: detailsOf(facts, visitor),
  });
  const { passwordChangeRequired, browser } = facts;
  const seconds = (expiresMs - now) / 1000;
  return { token, seconds, passwordChangeRequired, browserToken: browser?.token ?? null };
}

function detailsOf({ keyId, secondFactor = null }: NewSession, { address }: Visitor): Record<string, string> {
  return {
    address,
    ...(keyId === null ? {} : { key_id: keyId }),
    ...(secondFactor === null ? {} : { second_factor: secondFactor }),
  };
}
